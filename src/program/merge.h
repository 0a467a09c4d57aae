// SPDX-License-Identifier: Apache-2.0
//
// Merging the modules of a program into one, as the linker and the dynamic
// loader would bind their symbols:
//
//   - inside the program or inside one library: weak, linkonce and common
//     definitions give way, comdat groups are taken whole, names with internal
//     linkage are kept apart by renaming; two strong definitions are an error;
//   - between the program and its libraries: the program's definition wins,
//     then the libraries' in the order in which the loader searches them
//     (interposition). What a library does not export stays its own, and so
//     do its uses of protected symbols and of all symbols under -Bsymbolic.
//
// The same parts give the same module, byte for byte. Limits: -Bsymbolic-functions
// leaves no mark in a library and is not known; constructors with a priority run
// in the order of priorities over program and libraries together, not library
// by library.
#pragma once

#include "base/result.h"
#include "program/program_parts.h"
#include "program/whole_program.h"

namespace heddle::program {

struct MergeOptions {
  bool optimised = false;  // take the modules as optimised for the user
  bool need_main = true;   // refuse parts without a main function
};

base::Result<WholeProgram> merge(ProgramParts parts, const MergeOptions& options);

}  // namespace heddle::program
