# SPDX-License-Identifier: Apache-2.0
# bin/fuzz_firmware_rings: the firmware's sources and fuzz_rings.cpp by clang, whatever compiles the rest. Left out without clang.
find_program(AVOCET_CLANG clang)
find_program(AVOCET_CLANGXX clang++)
if(NOT AVOCET_CLANG OR NOT AVOCET_CLANGXX OR AVOCET_SANITIZE)
  message(STATUS "The fuzzer of the firmware's rings is left out: no clang (Debian: clang), or a build with sanitizers of its own")
  return()
endif()

set(flags -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
get_target_property(sources avocet_firmware SOURCES)
set(objects "")
foreach(source ${sources} fuzz_rings.cpp)
  if(source STREQUAL fuzz_rings.cpp)
    set(path ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    set(compiler ${AVOCET_CLANGXX} -std=c++20)
  else()
    set(path ${CMAKE_SOURCE_DIR}/firmware/${source})
    set(compiler ${AVOCET_CLANG} -std=c11)
  endif()
  get_filename_component(name ${source} NAME)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/fuzz_${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${compiler} ${flags} -I${CMAKE_SOURCE_DIR}/firmware/include -I${CMAKE_SOURCE_DIR}/firmware/src
      -I${CMAKE_SOURCE_DIR}/accel_model/isa/generated -I${CMAKE_SOURCE_DIR}/accel_model/isa/include
      -MD -MT ${object} -MF ${object}.d -c ${path} -o ${object}
    DEPENDS ${path} DEPFILE ${object}.d COMMENT "Fuzzer: ${name}" VERBATIM)
  list(APPEND objects ${object})
endforeach()

set(fuzzer ${CMAKE_BINARY_DIR}/bin/fuzz_firmware_rings)
add_custom_command(OUTPUT ${fuzzer} COMMAND ${AVOCET_CLANGXX} -fsanitize=fuzzer,address,undefined ${objects} -o ${fuzzer}
  DEPENDS ${objects} COMMENT "Fuzzer: the firmware's rings" VERBATIM)
add_custom_target(fuzz_firmware_rings ALL DEPENDS ${fuzzer})

# Some seconds from an empty corpus, always the same inputs. For longer: bin/fuzz_firmware_rings CORPUS -max_total_time=3600
add_test(NAME firmware/fuzz_rings COMMAND ${fuzzer} -seed=1 -runs=500 -max_len=600 -len_control=0 -timeout=60)
set_tests_properties(firmware/fuzz_rings PROPERTIES LABELS unit TIMEOUT 300)
