// SPDX-License-Identifier: Apache-2.0
//
// A target for runs that are compared with a fault-free run (src/abi/comparison.h),
// and what each word of its streams is.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pass/comparison.h"
#include "program/whole_program.h"
#include "trace/trace.h"

namespace heddle::build {

using pass::ComparedPlace;
using pass::ComparedProgram;
using pass::ComparedSegment;
using pass::ComparedSlot;
using pass::SlotKind;

struct ComparisonTarget {
  std::string executable;
  std::string program_name;
  std::string module_hash;
  pass::ComparedProgram code;
  std::vector<trace::Global> globals;
};

// Uses up the program's module.
base::Result<ComparisonTarget> make_comparison_target(program::WholeProgram program, bool optimise);

}  // namespace heddle::build
