// SPDX-License-Identifier: Apache-2.0
// libneuralnetworks.so is the whole of avocet::runtime behind libneuralnetworks.map. This file only gives the target a
// source, and fails to compile should a header stop being C11.
#include <android/NeuralNetworks.h>

typedef int avocet_shared_library_is_not_empty;
