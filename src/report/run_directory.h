// SPDX-License-Identifier: Apache-2.0
//
// Every analysis keeps its results in a directory of its own,
// ./.heddle/runs/NNN-command (HEDDLE_DIR replaces ./.heddle). Numbers go up;
// nothing is overwritten.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::report {

// Where all runs are.
std::string runs_directory();

base::Result<std::string> make_run_directory(const std::string& command);

// The directory of a run, given as a number, the name of its directory, or a path (also of its result.json).
base::Result<std::string> find_run(const std::string& run);

// All of them, by number, and the one with the highest number.
std::vector<std::string> all_runs();
base::Result<std::string> latest_run();

// The report of a run as a page.
std::string html_file(const std::string& directory);

// Where a check that was interrupted keeps what it needs to go on.
std::string checkpoint_file(const std::string& directory);
// That file of a run, given as a number, the name of its directory, or a path.
base::Result<std::string> find_checkpoint(const std::string& run);

}  // namespace heddle::report
