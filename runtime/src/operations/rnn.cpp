// SPDX-License-Identifier: Apache-2.0
// RNN: one time step of a basic recurrent layer.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("input", kColumnA, "batch,input_size"), shaped("weights", kColumnA, "units,input_size"),
                                  shaped("recurrent_weights", kColumnA, "units,units"), shaped("bias", kColumnA, "units"),
                                  shaped("hidden_state_in", kColumnA, "batch,units"), activation().omittable()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("hidden_state_out", kColumnA, "batch,units"), shaped("output", kColumnA, "batch,units")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kRnn = unimplemented<kSignature>(ANEURALNETWORKS_RNN, "RNN");

}  // namespace avocet::runtime
