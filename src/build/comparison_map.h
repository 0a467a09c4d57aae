// SPDX-License-Identifier: Apache-2.0
//
// What is kept beside the executable of a comparison target: places, functions,
// segments and slots, globals. It is Heddle's own cache, written and read by the same
// version; anything else in it makes the cache entry void.
//
//   heddle-comparison 1
//   word <text>            in order; the empty one is left out
//   function 12            word
//   place 3 17 5 9         file, line, column, variable
//   segment 0 1 4294967295 function, flags, join; its slots follow
//   slot 0 32 0 0 0 7 8 4 0
//   outside <name>
//   global 4210720 4 <name>
//   end
#pragma once

#include <string>

#include "build/comparison_target.h"

namespace heddle::build {

std::string write_comparison_map(const ComparisonTarget& target);
bool read_comparison_map(const std::string& text, ComparisonTarget& target);

}  // namespace heddle::build
