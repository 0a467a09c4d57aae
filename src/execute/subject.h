// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "build/target.h"
#include "execute/executor.h"

namespace heddle::execute {

// The target as something to run, with these arguments.
inline Subject subject_of(const build::Target& target, std::vector<std::string> arguments = {}) {
  return {target.executable,
          target.program_name,
          target.module_hash,
          std::make_shared<const std::vector<trace::Site>>(target.sites),
          std::make_shared<const std::vector<trace::Global>>(target.globals),
          target.unknown_functions,
          target.outside_functions,
          std::move(arguments),
          target.dependence};
}

}  // namespace heddle::execute
