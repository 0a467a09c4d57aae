// SPDX-License-Identifier: Apache-2.0
//
// The user's command line, made ready for clang: response files replaced by
// what they hold, link-time optimisation left out.
#pragma once

#include <string>
#include <vector>

namespace heddle::build {

struct DriverArguments {
  std::vector<std::string> arguments;
  bool verbose = false;     // -v
  bool only_shows = false;  // -###: the plan is what the user wants to see
  bool dropped_lto = false;
};

DriverArguments prepare_arguments(const std::vector<std::string>& arguments);

// Words that must not be taken for anything but themselves, one response file.
std::string response_file_text(const std::vector<std::string>& arguments);

// As a shell would need it, to show a command.
std::string shell_text(const std::vector<std::string>& arguments);

}  // namespace heddle::build
