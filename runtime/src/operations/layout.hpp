// SPDX-License-Identifier: Apache-2.0
// NCHW: kernels are written for NHWC only; an operation given in NCHW sees transposed copies of its images.
#pragma once

#include "row.hpp"

namespace avocet::runtime {

/// Whether any form of the signature has a layout input.
bool may_be_nchw(const Signature& signature);

/// Whether the layout input of this form is there and true.
bool is_nchw(const Form& inputs, const OperationContext& context);

/// Calls infer with the images' dimensions in NHWC order, and turns those of the output images back.
Status infer_in_nhwc(const Match& match, OperationContext& context, InferFunction infer);

/// Runs execute on transposed copies of the images and transposes the output images back.
Status execute_in_nhwc(const Match& match, OperationContext& context, ExecuteFunction execute, Halves halves);

}  // namespace avocet::runtime
