// SPDX-License-Identifier: Apache-2.0
//
// Intake: what the user names on the command line, as one WholeProgram. That
// is either one executable built with `heddle cc`, or any mix of
//
//   .c .cc .cpp .cxx   sources, compiled here with -O0 -g -pthread
//   .bc .ll            LLVM modules
//   .o                 objects; those without bitcode are linked as they are
//   .a                 archives, of which the needed members are taken
//   .s .S              assembly, linked as it is
//   .so                shared libraries; merged when they carry bitcode
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "program/whole_program.h"

namespace heddle::build {

struct IntakeOptions {
  // Flags for the sources. -l, -L and -Wl, among them go to the linker.
  std::vector<std::string> cflags;
  // Take modules as optimised for the user, not as the frontend made them.
  bool optimised = false;
};

base::Result<program::WholeProgram> intake(const std::vector<std::string>& inputs, const IntakeOptions& options);

}  // namespace heddle::build
