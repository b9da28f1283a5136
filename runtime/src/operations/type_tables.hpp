// SPDX-License-Identifier: Apache-2.0
// Type tables that many rows share. An operation that is younger than a row's level takes its own level.
#pragma once

#include "signature.hpp"

namespace avocet::runtime {

inline constexpr TypeRow kFloats[] = {{27, {Type::kTensorFloat32}}, {29, {Type::kTensorFloat16}}};

inline constexpr TypeRow kFloatsAndQuant8[] = {
    {27, {Type::kTensorFloat32}}, {27, {Type::kQuant8}}, {29, {Type::kTensorFloat16}}, {30, {Type::kQuant8Signed}}};

/// Operations of level 27 or 28 whose quantised form came with level 29.
inline constexpr TypeRow kFloatsAndLaterQuant8[] = {
    {27, {Type::kTensorFloat32}}, {29, {Type::kTensorFloat16}}, {29, {Type::kQuant8}}, {30, {Type::kQuant8Signed}}};

inline constexpr TypeRow kFloatsInt32AndQuant8[] = {{29, {Type::kTensorFloat32}},
                                                    {29, {Type::kTensorFloat16}},
                                                    {29, {Type::kTensorInt32}},
                                                    {29, {Type::kQuant8}},
                                                    {30, {Type::kQuant8Signed}}};

inline constexpr TypeRow kBoolsNumbersAndQuant8[] = {
    {29, {Type::kTensorBool8}}, {29, {Type::kTensorFloat32}}, {29, {Type::kTensorFloat16}},
    {29, {Type::kTensorInt32}}, {29, {Type::kQuant8}},        {30, {Type::kQuant8Signed}}};

/// Column A: the tensors; column B: scalars of the same precision.
inline constexpr TypeRow kFloatsWithScalars[] = {{27, {Type::kTensorFloat32, Type::kFloat32}},
                                                 {29, {Type::kTensorFloat16, Type::kFloat16}}};

/// Convolutions: column A input and output, B filter, C bias.
inline constexpr TypeRow kConvolutionTypes[] = {
    {27, {Type::kTensorFloat32, Type::kTensorFloat32, Type::kTensorFloat32}},
    {27, {Type::kQuant8, Type::kQuant8, Type::kTensorInt32}},
    {29, {Type::kTensorFloat16, Type::kTensorFloat16, Type::kTensorFloat16}},
    {29, {Type::kQuant8, Type::kQuant8PerChannel, Type::kTensorInt32}},
    {30, {Type::kQuant8Signed, Type::kQuant8Signed, Type::kTensorInt32}},
    {30, {Type::kQuant8Signed, Type::kQuant8PerChannel, Type::kTensorInt32}}};

/// Regions of interest: column A feature map or scores, B boxes, C float scalars.
inline constexpr TypeRow kRegionTypes[] = {{29, {Type::kTensorFloat32, Type::kTensorFloat32, Type::kFloat32}},
                                           {29, {Type::kTensorFloat16, Type::kTensorFloat16, Type::kFloat16}},
                                           {29, {Type::kQuant8, Type::kQuant16, Type::kFloat32}},
                                           {30, {Type::kQuant8Signed, Type::kQuant16, Type::kFloat32}}};

inline constexpr double kPositive = std::numeric_limits<float>::denorm_min();

}  // namespace avocet::runtime
