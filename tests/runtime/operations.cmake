# SPDX-License-Identifier: Apache-2.0
# Tests of the operations through the seam and of their shared arithmetic.
set(AVOCET_OPERATION_TESTS # one a line: operations_<subject>_test.cpp
  arithmetic
  comparison
  convolution
  detection
  elementwise
  lstm
  multinomial
  normalization
  projection
  published
  quantized_lstm
  reduction
  reshape
  resize
  rnn
  roi
  selection
  signature
  slice
  space
  svdf
  transpose_convolution
  unary
  window)
foreach(subject ${AVOCET_OPERATION_TESTS})
  set(label unit)
  set(timeout 60)
  if(subject MATCHES "^(published|signature)$") # they read all published cases, some seconds
    set(label integration)
    set(timeout 300)
  endif()
  avocet_test(NAME runtime/operations_${subject}
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/operations_${subject}_test.cpp
    LIBS avocet::operations
    LABEL ${label} TIMEOUT ${timeout})
endforeach()

# The kernels for processors without vector extensions, by the same tests.
foreach(subject arithmetic convolution elementwise transpose_convolution)
  add_test(NAME runtime/operations_${subject}_portable COMMAND test_runtime_operations_${subject})
  set_tests_properties(runtime/operations_${subject}_portable PROPERTIES LABELS unit TIMEOUT 60 ENVIRONMENT AVOCET_NO_SIMD=1)
endforeach()
