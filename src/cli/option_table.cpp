// SPDX-License-Identifier: Apache-2.0
#include "cli/option_table.h"

#include <sstream>

namespace heddle::cli {
namespace {

// The parser keeps the choices of an option as part of its type: "TEXT:{sc,tso,pso}".
std::vector<std::string> choices_of(std::string& type) {
  std::vector<std::string> choices;
  const size_t open = type.find('{');
  const size_t close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return choices;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) choices.push_back(word);
  type = type.substr(0, open);
  if (type.ends_with(':')) type.pop_back();
  return choices;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (entry.names.empty()) entry.positional = option.get_name();
  entry.value = option.get_type_size() == 0 ? "" : option.get_type_name();
  entry.choices = choices_of(entry.value);
  entry.value = entry.value.substr(0, entry.value.find(':'));  // what is checked of it is no part of its name
  entry.description = option.get_description();
  return entry;
}

void add(const CLI::App& app, const std::string& name, std::vector<CommandEntry>& table) {
  CommandEntry entry{name, app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) entry.options.push_back(entry_of(*option));
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) entry.subcommands.push_back(command->get_name());
  table.push_back(std::move(entry));
  for (const CLI::App* command : commands) add(*command, name.empty() ? command->get_name() : name + " " + command->get_name(), table);
}

}  // namespace

std::vector<CommandEntry> command_table(const CLI::App& app) {
  std::vector<CommandEntry> table;
  add(app, "", table);
  return table;
}

}  // namespace heddle::cli
