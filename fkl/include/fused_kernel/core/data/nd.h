// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fk {

/// Dimensions of a memory block; T3D keeps each color plane of all images together.
enum class ND { _1D = 1, _2D = 2, _3D = 3, T3D = 4 };

}  // namespace fk
