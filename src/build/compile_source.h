// SPDX-License-Identifier: Apache-2.0
//
// One source file into one module, for sources given to an analysis directly:
// `heddle check prog.c`. Compiles with -O0 -g -pthread and the user's flags.
// The module has debug info and no optnone, so that later passes may work on it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "program/program_parts.h"

namespace heddle::build {

// C and C++ by the file's ending: .c .i, .cc .cpp .cxx .c++ .C .ii
bool is_source(const std::string& path);
bool is_cxx_source(const std::string& path);

// .s and .S; such a file becomes an object without bitcode.
bool is_assembly(const std::string& path);

// An Error holds the compiler's diagnostics. With `optimised`, -O flags among
// `flags` take effect.
base::Result<program::ModulePart> compile_source(const std::string& path, const std::vector<std::string>& flags,
                                                 bool optimised);

base::Result<program::NativeObject> assemble(const std::string& path, const std::vector<std::string>& flags);

}  // namespace heddle::build
