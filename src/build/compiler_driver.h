// SPDX-License-Identifier: Apache-2.0
//
// `heddle cc` and `heddle c++`: clang, with bitcode kept. To make, autotools
// and CMake they look like clang in every respect: flags, files written,
// diagnostics, exit codes.
//
// The idea: never interpret the user's command line. clang itself is asked for
// its plan (`clang -###`), a list of commands. Most are run as they are; two
// kinds are changed on the way:
//
//   cc1 … -emit-obj a.c    becomes frontend → unoptimised module → optimised
//                          module → object, and the object gets both modules in
//                          a section of its own (compile_job.h)
//   ld …                   also says which files it used; what linking again
//                          would need is added to its output (link_job.h)
//
// A plan without such a command (-E, -S, -M, --version, …) is left to clang.
//
// Limits: no bitcode for -save-temps and -fno-integrated-as, where clang makes
// the object from assembly text; none for other targets and languages than C
// and C++; -MJ writes nothing; link-time optimisation is left out, because it
// has no object files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "build/clang.h"

namespace heddle::build {

// Does what clang would do with `arguments` (without the program's name) and
// returns its exit code. May replace the process image: call it last.
int run_compiler(Language language, const std::vector<std::string>& arguments);

// For CMake and others that want a compiler of one word: `heddle-cc` and
// `heddle-c++`, names of the same executable. Nothing for other names.
std::optional<Language> language_from_program_name(const std::string& program_name);

}  // namespace heddle::build
