// SPDX-License-Identifier: Apache-2.0
#include "cli/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>

namespace heddle::cli {
namespace {

// A command of the parser has no other place for data of ours.
struct HelpCarrier final : CLI::Formatter {
  HelpText text;
};

HelpText help_of(const CLI::App& app) {
  const auto carrier = std::dynamic_pointer_cast<HelpCarrier>(app.get_formatter());
  return carrier ? carrier->text : HelpText{};
}

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

// The parser keeps them by address.
std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return names;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (entry.names.empty()) entry.positional = option.get_name();
  entry.value = option.get_type_size() == 0 ? "" : option.get_type_name();
  entry.choices = choices_of(entry.value);
  entry.value = entry.value.substr(0, entry.value.find(':'));  // what is checked of it is no part of its name
  if (!entry.value.empty()) entry.default_value = option.get_default_str();
  entry.description = option.get_description();
  entry.needs = names_of(option.get_needs());
  entry.excludes = names_of(option.get_excludes());
  entry.required = option.get_required();
  entry.repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  entry.seldom = option.get_group() == kSeldomNeeded;
  return entry;
}

void add(const CLI::App& app, const std::string& name, std::vector<CommandEntry>& table) {
  CommandEntry entry{name, app.get_description(), help_of(app), {}, {}, {}};
  // What a command works on comes first, how to get help last.
  const auto rank = [](const OptionEntry& option) {
    return option.names.empty() ? 0 : option.names[0] == "-h" || option.names[0] == "--help" ? 2 : 1;
  };
  for (int wanted = 0; wanted < 3; ++wanted) {
    for (const CLI::Option* option : app.get_options())
      if (OptionEntry found = entry_of(*option); rank(found) == wanted) entry.options.push_back(std::move(found));
  }
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) {
    entry.subcommands.push_back(command->get_name());
    entry.subcommand_descriptions.push_back(command->get_description());
  }
  table.push_back(std::move(entry));
  for (const CLI::App* command : commands)
    add(*command, name.empty() ? command->get_name() : name + " " + command->get_name(), table);
}

}  // namespace

void prepare_help(CLI::App& app) {
  app.set_help_flag("-h", "a short help");
  app.set_help_all_flag("--help", "all options, and examples");
  set_help(app, {});
}

void set_help(CLI::App& command, HelpText text) {
  auto carrier = std::make_shared<HelpCarrier>();
  carrier->text = std::move(text);
  command.formatter(carrier);
}

void seldom_needed(CLI::App& command, std::initializer_list<const char*> names) {
  for (const char* name : names) command.get_option(name)->group(kSeldomNeeded);
}

std::string full_name(const CommandEntry& entry) { return entry.name.empty() ? "heddle" : "heddle " + entry.name; }

std::string value_text(const OptionEntry& option) {
  // "NAMES:{a,b}" is a list of them; a list of choices stands for itself only where one is chosen.
  const bool one_of_them = option.value == "TEXT" || option.value.empty() || option.value == "MODEL";
  if (!option.choices.empty() && one_of_them) return fmt::format("{}", fmt::join(option.choices, "|"));
  return option.value;
}

std::string whole_description(const OptionEntry& option) {
  std::string text = option.description;
  if (!option.choices.empty() && value_text(option) == option.value)
    text += fmt::format(" ({})", fmt::join(option.choices, ", "));
  // A list of defaults is "[a]" to the parser.
  std::string preset = option.default_value;
  if (preset.starts_with('[') && preset.ends_with(']')) preset = preset.substr(1, preset.size() - 2);
  if (!preset.empty()) text += fmt::format(" (default {})", preset);
  if (!option.needs.empty()) text += fmt::format(" (only with {})", fmt::join(option.needs, ", "));
  if (!option.excludes.empty()) text += fmt::format(" (not with {})", fmt::join(option.excludes, ", "));
  return text;
}

std::string usage(const CommandEntry& entry) {
  std::string text = full_name(entry);
  if (!entry.subcommands.empty()) return text + " COMMAND [OPTIONS]";
  text += " [OPTIONS]";
  for (const OptionEntry& option : entry.options) {
    if (!option.names.empty()) continue;
    const std::string word = value_text(option) + (option.repeated ? " ..." : "");
    text += option.required ? " " + word : fmt::format(" [{}]", word);
  }
  return text;
}

std::vector<CommandEntry> command_table(const CLI::App& app) {
  std::vector<CommandEntry> table;
  add(app, "", table);
  return table;
}

}  // namespace heddle::cli
