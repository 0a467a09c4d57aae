// SPDX-License-Identifier: Apache-2.0
//
// Where may a thread come to differ from run to run although it reads the same
// values from memory? Clocks, random numbers, identities of processes and
// threads, and addresses that are printed or hashed. Runs of such a program
// cannot be compared event by event (local determinism, TraceSanitizer IV-C3).
//
// A list of hints, not a proof: it looks at direct calls by name, at constant
// format strings, and at what addresses turned into numbers flow to, through
// arithmetic, local variables and arguments. Whether the program really differs
// is decided by comparing runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/whole_program.h"

namespace heddle::program {

struct NondeterministicPlace {
  std::string what;  // "time", "printf of a pointer", "an address in arithmetic"
  std::string why;   // "reads a clock"
  std::string file;
  uint32_t line = 0, column = 0;  // 0: not known
  std::string function;
  auto operator<=>(const NondeterministicPlace&) const = default;

  std::string text() const;  // "a.c:13:19 main: time (reads a clock)"
};

// Sorted by place, each once. The module as it comes from intake, without hooks.
std::vector<NondeterministicPlace> find_nondeterminism(const WholeProgram& program);

}  // namespace heddle::program
