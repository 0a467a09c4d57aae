// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace heddle::cli {
namespace {

constexpr size_t kColumn = 26;  // where descriptions begin
constexpr size_t kWidest = 120;
constexpr size_t kNarrowest = 60;
constexpr size_t kShortExamples = 2;
constexpr size_t kAligned = 50;  // longer examples do not push the meanings of others aside

size_t sensible(size_t width) { return std::clamp(width, kNarrowest, kWidest); }

std::string left_side(const OptionEntry& option) {
  if (option.names.empty()) return "  " + value_text(option) + (option.repeated ? " ..." : "");
  std::string text = fmt::format("  {}", fmt::join(option.names, ", "));
  if (const std::string value = value_text(option); !value.empty()) text += "=" + value;
  return text;
}

// Words in lines that begin at kColumn; the first line goes on after `left` if that is short enough.
std::string in_columns(const std::string& left, const std::string& description, size_t width) {
  std::string text = left, line;
  const auto put = [&] {
    text += left.size() + 2 > kColumn || text.size() > left.size() ? "\n" + std::string(kColumn, ' ')
                                                                   : std::string(kColumn - left.size(), ' ');
    text += line;
    line.clear();
  };
  std::istringstream words(description);
  for (std::string word; words >> word;) {
    if (!line.empty() && kColumn + line.size() + 1 + word.size() > width) put();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) put();
  return text + "\n";
}

// One line, of as much as fits: up to the first ";", and not beyond the edge.
std::string in_one_line(const std::string& left, std::string description, size_t width) {
  description = description.substr(0, description.find(';'));
  std::string text = left.size() + 2 > kColumn ? left + "  " : left + std::string(kColumn - left.size(), ' ');
  const size_t room = width > text.size() + 3 ? width - text.size() : 0;
  if (description.size() > room) {
    if (room < kColumn) return left + "\n";
    description = description.substr(0, description.rfind(' ', room - 4)) + " ...";
  }
  return text + description + "\n";
}

std::string examples(const CommandEntry& entry, size_t most) {
  std::string text;
  size_t widest = 0;
  for (const Example& example : entry.help.examples)
    if (example.command.size() <= kAligned) widest = std::max(widest, example.command.size());
  for (const Example& example : entry.help.examples) {
    if (most-- == 0) break;
    text += example.meaning.empty() ? fmt::format("  {}\n", example.command)
                                    : fmt::format("  {:{}}   # {}\n", example.command, widest, example.meaning);
  }
  return text.empty() ? "" : "\nExamples:\n" + text;
}

std::string commands(const CommandEntry& entry, size_t width) {
  std::string text;
  for (size_t i = 0; i < entry.subcommands.size(); ++i)
    text += in_columns("  " + entry.subcommands[i], entry.subcommand_descriptions[i], width);
  return text.empty() ? "" : "\nCommands:\n" + text;
}

bool is_seldom(const OptionEntry& option) { return option.seldom; }

}  // namespace

std::string short_help(const CommandEntry& entry, size_t width) {
  width = sensible(width);
  std::string text = fmt::format("{}\nUsage: {}\n", entry.description, usage(entry));
  text += examples(entry, kShortExamples) + commands(entry, width) + "\nOptions:\n";
  for (const OptionEntry& option : entry.options)
    if (!option.seldom) text += in_one_line(left_side(option), option.description, width);
  const auto hidden = std::count_if(entry.options.begin(), entry.options.end(), is_seldom);
  return text + fmt::format("\n{} --help says more{}\n", full_name(entry),
                            hidden > 0 ? fmt::format(", and has {} more options", hidden) : "");
}

std::string long_help(const CommandEntry& entry, size_t width) {
  width = sensible(width);
  std::string text = fmt::format("{}\nUsage: {}\n", entry.description, usage(entry));
  text += examples(entry, entry.help.examples.size()) + commands(entry, width);
  for (const bool seldom : {false, true}) {
    std::string options;
    for (const OptionEntry& option : entry.options)
      if (option.seldom == seldom) options += in_columns(left_side(option), whole_description(option), width);
    if (!options.empty()) text += fmt::format("\n{}:\n{}", seldom ? kSeldomNeeded : "Options", options);
  }
  if (!entry.help.notes.empty()) text += "\n" + entry.help.notes + "\n";
  if (!entry.help.exit_codes.empty()) text += "\nExit code: " + entry.help.exit_codes + "\n";
  return text;
}

std::string chosen_name(const CLI::App& app) {
  std::string name;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += (name.empty() ? "" : " ") + at->get_name();
  }
  return name;
}

std::string help_of_chosen(const CLI::App& app, bool whole, size_t width) {
  const std::string name = chosen_name(app);
  for (const CommandEntry& entry : command_table(app))
    if (entry.name == name) return whole ? long_help(entry, width) : short_help(entry, width);
  return "";
}

}  // namespace heddle::cli
