// SPDX-License-Identifier: Apache-2.0
//
// The marks in a program whose path the processor writes down (pass/way_marks.h): which
// instruction of the machine means what in the module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::build {

struct CodeMark {
  uint64_t address = 0;
  uint32_t site = 0;  // of the branch, or of the store
  bool is_store = false;
  uint32_t width = 0, number = 0;  // of a branch: these bits belong to the path, highest first
};

// By address; an Error: the executable was not made for this.
base::Result<std::vector<CodeMark>> marks_of(const std::string& executable);

// Where the code of the program lies in its file.
struct CodeSegment {
  uint64_t address = 0, size = 0, file_offset = 0;
};
base::Result<std::vector<CodeSegment>> code_segments(const std::string& executable);

}  // namespace heddle::build
