// SPDX-License-Identifier: Apache-2.0
//
// Static libraries: their members, and the linker's rule for taking them. A
// member is linked when it defines a symbol that what is linked so far leaves
// undefined; that goes on until nothing is added.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "program/program_parts.h"

namespace heddle::program {

// Members in archive order, named by their file name alone. Understands thin
// archives.
base::Result<std::vector<NativeObject>> read_archive(const std::string& path);

// Adds the members of `archives` that `parts` needs: modules where a member has
// bitcode, the member itself where not. Libraries are searched in their order.
base::Result<void> add_needed_members(ProgramParts& parts, const std::vector<std::string>& archives);

}  // namespace heddle::program
