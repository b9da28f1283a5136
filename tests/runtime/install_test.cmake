# SPDX-License-Identifier: Apache-2.0
# Installs the build tree into a scratch folder and builds a small C client against it, by pkg-config and by CMake.
# Run as: cmake -DBUILD=... -DCLIENT=... -DSCRATCH=... -P install_test.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nfailed with ${result}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component runtime)
file(GLOB_RECURSE library ${prefix}/libneuralnetworks.so)
file(GLOB_RECURSE pc ${prefix}/neuralnetworks.pc)
file(GLOB_RECURSE config ${prefix}/avocet-config.cmake)
foreach(file library pc config)
  if(NOT ${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
get_filename_component(libdir ${library} DIRECTORY)
get_filename_component(pcdir ${pc} DIRECTORY)

# pkg-config, told that the prefix is the scratch folder
set(ENV{PKG_CONFIG_PATH} ${pcdir})
execute_process(COMMAND pkg-config --define-variable=prefix=${prefix} --cflags --libs neuralnetworks
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
run(cc -std=c11 -Wall -Werror ${CLIENT}/client.c -o ${SCRATCH}/by_pkg_config ${flags} -Wl,-rpath,${libdir})
run(${SCRATCH}/by_pkg_config)

# find_package(avocet)
run(${CMAKE_COMMAND} -S ${CLIENT} -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/client)
file(REMOVE_RECURSE ${SCRATCH})
