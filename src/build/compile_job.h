// SPDX-License-Identifier: Apache-2.0
//
// One translation unit into an object that carries its bitcode. The frontend
// runs once, so diagnostics and dependency files appear once:
//
//   1  frontend      a.c     → unoptimised module (debug info, no optnone)
//   2  optimiser     module  → module as optimised for the user
//   3  code          module  → object; the user's program is module 2
//   4  both modules go into the object's section .heddle.bitcode
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "build/driver_plan.h"

namespace heddle::build {

// Runs `job` with temporary files in `directory`. The value is an exit code;
// the commands have printed what was wrong.
base::Result<int> run_compile_job(const Job& job, const std::string& directory);

// The commands of steps 1-3 (exposed for tests).
struct CompileSteps {
  std::vector<std::string> frontend;
  std::vector<std::string> optimise;
  std::vector<std::string> generate;
};
CompileSteps compile_steps(const Job& job, const std::string& unoptimised, const std::string& optimised,
                           const std::string& object);

}  // namespace heddle::build
