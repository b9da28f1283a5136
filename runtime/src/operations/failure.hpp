// SPDX-License-Identifier: Apache-2.0
// One way to make a Status with a sentence from pieces: op_failed("axis ", axis, " is outside the tensor").
// BAD_DATA is for what a model can be refused for, OP_FAILED for what is found when values and shapes are known.
#pragma once

#include <android/NeuralNetworks.h>

#include <sstream>

#include "operation.hpp"

namespace avocet::runtime {

template <typename... Pieces>
Status failure(int code, const Pieces&... pieces) {
  std::ostringstream text;
  (text << ... << pieces);
  return Status{code, text.str()};
}

template <typename... Pieces>
Status bad_data(const Pieces&... pieces) {
  return failure(ANEURALNETWORKS_BAD_DATA, pieces...);
}

template <typename... Pieces>
Status op_failed(const Pieces&... pieces) {
  return failure(ANEURALNETWORKS_OP_FAILED, pieces...);
}

}  // namespace avocet::runtime

/// Returns the Status of `expression` from the calling function when it is a failure.
#define AVOCET_RETURN_IF_FAILED(expression)                                            \
  do {                                                                                 \
    if (::avocet::runtime::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)
