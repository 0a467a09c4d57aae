// SPDX-License-Identifier: Apache-2.0
//
// Programs as one C11 source, so that one target serves a whole set: the first
// argument of the target says which of them runs. Every operation has a line of
// its own, by which findings are matched with operations. Compile with
// -fno-strict-aliasing: accesses of all sizes meet in one array of bytes.
//
// Each load, store and read-modify-write of the program is one access of its
// width; registers are locals whose address nobody takes. What a thread has in
// its registers at its end it leaves in an array that only main reads, after
// the joins, and reports by heddle_observe as "t1r0".
#pragma once

#include <string>
#include <vector>

#include "oracle/program.h"

namespace heddle::oracle {

struct EmittedSet {
  std::string source;
  std::vector<std::vector<int>> lines;  // by place in the set and number of the operation
};

EmittedSet emit_c(const std::vector<Program>& programs);

}  // namespace heddle::oracle
