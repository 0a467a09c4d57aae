// SPDX-License-Identifier: Apache-2.0
//
// From a file built with `heddle cc` to the parts of the program: its modules,
// those of the shared libraries it needs that were built with Heddle too, and
// what else linking it again takes.
//
// Libraries are looked for as the loader does: the file's own search path
// ($ORIGIN is understood), LD_LIBRARY_PATH, then where the linker found them.
// Libraries without bitcode stay link inputs. Libraries that the program opens
// by dlopen are not known here.
#pragma once

#include <string>

#include "base/result.h"
#include "program/program_parts.h"

namespace heddle::program {

// `path` is an executable, a shared library, an object, or LLVM bitcode or
// assembly (.bc, .ll).
base::Result<ProgramParts> read_program(const std::string& path);

// Adds a relocatable file: its modules, or the file itself when it has none.
base::Result<void> add_object(ProgramParts& parts, std::string bytes, const std::string& name);

// The error for files that are ELF but were not built with Heddle.
base::Error no_bitcode(const std::string& path);

// Adds a shared library: its modules, or its path when it has none. The
// libraries that it needs in turn are added likewise.
base::Result<void> add_shared_library(ProgramParts& parts, const std::string& path);

}  // namespace heddle::program
