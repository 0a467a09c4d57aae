// SPDX-License-Identifier: Apache-2.0
//
// The commands and options of heddle as data, taken from the parser itself: help, manual
// pages, the reference page and completion are made from this, so they never say
// different things. What the parser has no place for, examples above all, a command
// says with set_help().
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::cli {

// A command that can be typed as it is; tests/docs/check_help.py runs it.
struct Example {
  std::string command, meaning;  // the meaning may be empty
};

// What help says of a command beside its options.
struct HelpText {
  std::vector<Example> examples;
  std::string notes;       // lines, or empty
  std::string exit_codes;  // "0 holds, 1 a finding"
};

// Before any command is added: commands inherit where the text is kept.
void prepare_help(CLI::App& app);
void set_help(CLI::App& command, HelpText text);

// Options that the short help leaves out.
void seldom_needed(CLI::App& command, std::initializer_list<const char*> names);
inline constexpr const char* kSeldomNeeded = "Seldom needed";  // their group

struct OptionEntry {
  std::vector<std::string> names;  // "-o", "--output"; empty for what is given without a name
  std::string positional;          // "program"
  std::string value;               // "N"; empty for a flag
  std::string default_value;
  std::string description;
  std::vector<std::string> choices;          // sc, tso, pso
  std::vector<std::string> needs, excludes;  // names of other options
  bool required = false, repeated = false, seldom = false;
};

struct CommandEntry {
  std::string name;  // "trace run"; "" is heddle itself
  std::string description;
  HelpText help;
  std::vector<OptionEntry> options;
  std::vector<std::string> subcommands, subcommand_descriptions;
};

// "heddle trace run".
std::string full_name(const CommandEntry& entry);

// What stands for the value of an option, or for one without name: "sc|tso|pso", "N".
std::string value_text(const OptionEntry& option);

// The description with what the parser knows: "memory model (default sc)".
std::string whole_description(const OptionEntry& option);

// "heddle check [OPTIONS] [PROG|SRC ...]".
std::string usage(const CommandEntry& entry);

// heddle itself first, then its commands in the order of --help, each followed by its own.
std::vector<CommandEntry> command_table(const CLI::App& app);

}  // namespace heddle::cli
