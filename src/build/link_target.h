// SPDX-License-Identifier: Apache-2.0
//
// From an instrumented object file to a target, and where its globals are then.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pass/instrument.h"
#include "program/whole_program.h"
#include "trace/trace.h"

namespace heddle::build {

base::Result<void> link_target(const program::WholeProgram& program, const std::string& runtime,
                               const std::string& object, const std::string& directory, const std::string& executable);

// Addresses of the program's globals in the linked file.
base::Result<std::vector<trace::Global>> locate_globals(const std::string& executable,
                                                        const std::vector<pass::GlobalObject>& wanted);

}  // namespace heddle::build
