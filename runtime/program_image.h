// SPDX-License-Identifier: Apache-2.0
//
// Where the program's own code and data are loaded, and where libraries are.
#pragma once

#include <stdint.h>

namespace heddle::rt {

void find_program_image();

struct ImageRange {
  uint64_t start;
  uint64_t end;
};
extern ImageRange g_program_code;   // its machine code
extern ImageRange g_program_image;  // everything of it, code and data

inline bool in_program_image(uint64_t address) {
  return address >= g_program_image.start && address < g_program_image.end;
}
inline bool in_program_code(uint64_t address) {
  return address >= g_program_code.start && address < g_program_code.end;
}

// The data or code of the C library, the C++ library, their helpers, or this runtime.
bool in_standard_library(uint64_t address);

// The code or data of whatever is loaded now.
bool in_loaded_image(uint64_t address);

}  // namespace heddle::rt
