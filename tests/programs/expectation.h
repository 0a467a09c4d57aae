// SPDX-License-Identifier: Apache-2.0
//
// What a program of this folder says of itself, in its lines `// heddle: ...`;
// README.md has the grammar.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::tests {

struct Expectation {
  std::string outcome;  // "exit", "assertion", "deadlock", ...
  std::string detail;   // exit code, signal or exception type
  std::vector<std::string> output;
  bool checks_output = false;
  bool output_by_default_only = false;
  bool all_schedules = false;
  bool all_memory_models = true;
  std::vector<std::string> arguments;
  std::vector<std::string> cflags;
  std::vector<std::pair<std::string, size_t>> contains;  // kind, at least
};

// Throws std::runtime_error on a line it does not understand.
Expectation read_expectation(const std::string& path);

}  // namespace heddle::tests
