# SPDX-License-Identifier: Apache-2.0
# Builds the driver core and its Linux port as a module's object with a kernel's own flags, in a copy below BUILD; then every symbol
# that the object leaves undefined must be one which that kernel exports. Skipped where there are no kernel headers.
file(GLOB headers /usr/src/linux-headers-*-amd64)
list(FILTER headers EXCLUDE REGEX "-(rt|cloud)-amd64$")
find_program(MAKE make)
if(NOT headers OR NOT MAKE)
  message("SKIPPED: no kernel headers below /usr/src (package linux-headers-amd64), or no make")
  return()
endif()
list(SORT headers COMPARE NATURAL)
list(GET headers -1 kernel)

file(REMOVE_RECURSE ${BUILD})
file(COPY ${SOURCE}/driver/core ${SOURCE}/driver/include ${SOURCE}/driver/port/linux ${SOURCE}/accel_model/isa DESTINATION ${BUILD})
file(GLOB sources RELATIVE ${BUILD} ${BUILD}/core/*.c ${BUILD}/linux/*.c ${BUILD}/isa/stream/*.c ${BUILD}/isa/generated/*.c)
list(FILTER sources EXCLUDE REGEX "^core/os_user")
list(TRANSFORM sources REPLACE "[.]c$" ".o")
list(JOIN sources " " objects)
file(WRITE ${BUILD}/Kbuild "obj-m := avocet.o
avocet-y := ${objects}
# The core declares variables where they are first used, as C has allowed since 1999.
ccflags-y := -Werror -Wno-declaration-after-statement -include $(src)/linux/include/stdint.h -I$(src)/linux/include -I$(src)/linux -I$(src)/core -I$(src)/include \\
  -I$(src)/isa/include -I$(src)/isa/generated -I$(src)/isa/stream
")
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
execute_process(COMMAND ${MAKE} -j${processors} -C ${kernel} M=${BUILD} avocet.o OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
if(failed OR NOT EXISTS ${BUILD}/avocet.o)
  message(FATAL_ERROR "building for ${kernel} failed:\n${output}")
endif()

execute_process(COMMAND ${NM} -u ${BUILD}/avocet.o OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_.]*\n" undefined "${undefined}")
file(READ ${kernel}/Module.symvers exported)
foreach(symbol ${undefined})
  string(STRIP "${symbol}" symbol)
  if(NOT exported MATCHES "\t${symbol}\t")
    list(APPEND missing ${symbol})
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "${kernel} does not export: ${missing}")
endif()
list(LENGTH undefined count)
message("built for ${kernel}: ${count} symbols of the kernel")
