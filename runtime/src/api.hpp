// SPDX-License-Identifier: Apache-2.0
// The C boundary: how every exported function begins and ends. Nothing throws across it, and a failure makes one log
// line, here and nowhere else.
#pragma once

#include <android/NeuralNetworks.h>

#include <exception>
#include <new>
#include <utility>

#include "log.hpp"
#include "operations/failure.hpp"

/// On the definition of each function that libneuralnetworks.so exports; everything else is hidden.
#define AVOCET_API extern "C" __attribute__((visibility("default")))

namespace avocet::runtime {

inline Status null_argument(const char* name) { return failure(ANEURALNETWORKS_UNEXPECTED_NULL, name, " is null"); }

template <typename... Pieces>
Status bad_state(const Pieces&... pieces) {
  return failure(ANEURALNETWORKS_BAD_STATE, pieces...);
}

/// Runs `body`, which returns a Status, and turns it into a result code.
template <typename Body>
int api_call(const char* function, Body&& body) noexcept {
  try {
    Status status = body();
    if (!status.ok()) log_failure(function, status);
    return status.code;
  } catch (const std::bad_alloc&) {
    log_failure(function, ANEURALNETWORKS_OUT_OF_MEMORY, "out of memory");
    return ANEURALNETWORKS_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    log_failure(function, ANEURALNETWORKS_OP_FAILED, e.what());
    return ANEURALNETWORKS_OP_FAILED;
  } catch (...) {
    log_failure(function, ANEURALNETWORKS_OP_FAILED, "unknown exception");
    return ANEURALNETWORKS_OP_FAILED;
  }
}

}  // namespace avocet::runtime
