// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands that inject faults: which program, where faults may go.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/comparison_target.h"
#include "propagate/engine/injection_points.h"

namespace heddle::cli {

struct ComparisonOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> cflags;
  bool optimised = false;  // inject into what clang -O2 makes of the program
  propagate::PointFilter filter;
  uint64_t seed = 0;
};

void add_comparison_options(CLI::App& command, ComparisonOptions& options);

base::Result<build::ComparisonTarget> prepare_comparison(const ComparisonOptions& options);

}  // namespace heddle::cli
