// SPDX-License-Identifier: Apache-2.0
//
// The commands and options of heddle as data, taken from the parser itself: manual
// pages and completion are made from this, so they never say anything else than
// --help does.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace heddle::cli {

struct OptionEntry {
  std::vector<std::string> names;  // "--memory", "-o"; empty for what is given without a name
  std::string positional;          // "program"
  std::string value;               // "N"; empty for a flag
  std::string description;
  std::vector<std::string> choices;  // sc, tso, pso
};

struct CommandEntry {
  std::string name;  // "trace run"; "" is heddle itself
  std::string description, footer;
  std::vector<OptionEntry> options;
  std::vector<std::string> subcommands;
};

// heddle itself first, then its commands in the order of --help, each followed by its own.
std::vector<CommandEntry> command_table(const CLI::App& app);

}  // namespace heddle::cli
