// SPDX-License-Identifier: Apache-2.0
// The passes over the graph itself, before it is legalised, in the order in which the pipeline runs them.
#pragma once

#include <avocet/compiler/graph.hpp>

namespace avocet::compiler {

/// Padding with the zero point in front of a convolution becomes the convolution's own.
void fold_padding(Graph& graph);

/// A table behind another becomes one with it; one that only clamps becomes part of the operation before it.
void fuse_tables(Graph& graph);

/// Removes operations of which no output is read or returned. Their tensors stay.
void drop_dead_operations(Graph& graph);

}  // namespace avocet::compiler
