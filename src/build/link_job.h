// SPDX-License-Identifier: Apache-2.0
//
// The link step. The linker runs as clang planned it, and in addition names the
// files and archive members it used (--trace). From those follows what it takes
// to link the program again from its merged module, and that is added to the
// output as section .heddle.link: shared libraries, flags that change what the
// program means, and the bytes of every object without bitcode.
//
// Left out are the files that any link by the compiler driver brings along:
// start-up objects, libgcc, the C and C++ libraries.
#pragma once

#include <string>

#include "base/result.h"
#include "build/driver_plan.h"

namespace heddle::build {

// The value is the linker's exit code; it has printed what was wrong.
base::Result<int> run_link_job(const Job& job, const std::string& directory);

}  // namespace heddle::build
