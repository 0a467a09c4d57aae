// SPDX-License-Identifier: Apache-2.0
//
// heddle manual: the manual pages, made from the table of options, one for heddle and
// one for each command; or all of it as one page in Markdown (docs/reference/commands.md).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "abi/version.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"

namespace heddle::cli {
namespace {

// Text as troff takes it.
std::string troff(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\')
      result += "\\e";
    else if (letter == '-')
      result += "\\-";
    else if (letter == '\'' || letter == '.')
      result += result.empty() || result.back() == '\n' ? std::string("\\&") + letter : std::string(1, letter);
    else
      result += letter;
  }
  return result;
}

std::string page_name(const CommandEntry& entry) {
  std::string name = entry.name.empty() ? "heddle" : "heddle-" + entry.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string option_page(const OptionEntry& option) {
  std::string head;
  for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + ("\\fB" + troff(name) + "\\fR");
  if (option.names.empty()) head = "\\fI" + troff(option.positional) + "\\fR";
  const std::string value = value_text(option);
  if (!value.empty() && !option.names.empty()) head += "=\\fI" + troff(value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", head, troff(whole_description(option)));
}

std::string page_of(const CommandEntry& entry) {
  const std::string command = full_name(entry);
  std::string text = fmt::format(
      ".\\\" made by heddle manual from the table of options\n.TH {} 1 \"\" \"heddle {}\" \"Heddle\"\n.SH NAME\n{} \\- "
      "{}\n.SH SYNOPSIS\n\\fB{}\\fR\n",
      page_name(entry), HEDDLE_VERSION, troff(page_name(entry)), troff(entry.description), troff(usage(entry)));
  if (!entry.subcommands.empty()) {
    text += ".SH COMMANDS\n";
    for (const std::string& name : entry.subcommands)
      text += fmt::format(".TP\n\\fB{}\\fR\nsee {}(1)\n", troff(command + " " + name),
                          troff(page_name({entry.name.empty() ? name : entry.name + " " + name, "", {}, {}, {}, {}})));
  }
  if (!entry.help.examples.empty()) text += ".SH EXAMPLES\n";
  for (const Example& example : entry.help.examples)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(example.command), troff(example.meaning));
  text += ".SH OPTIONS\n";
  for (const OptionEntry& option : entry.options) text += option_page(option);
  if (!entry.help.notes.empty()) text += ".SH NOTES\n.nf\n" + troff(entry.help.notes) + "\n.fi\n";
  if (!entry.help.exit_codes.empty()) text += ".SH EXIT STATUS\n" + troff(entry.help.exit_codes) + "\n";
  return text;
}

// A cell of a table: "|" would end it.
std::string cell(const std::string& text) {
  std::string result;
  for (const char letter : text) result += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return result;
}

std::string markdown_of(const CommandEntry& entry) {
  std::string text = fmt::format("\n## {}\n\n{}\n\n    {}\n\n", full_name(entry), entry.description, usage(entry));
  if (!entry.help.examples.empty()) text += "Examples:\n\n";
  for (const Example& example : entry.help.examples)
    text += fmt::format("    {}{}{}\n", example.command, example.meaning.empty() ? "" : "   # ", example.meaning);
  if (!entry.subcommands.empty()) text += "\n| command | |\n|---|---|\n";
  for (size_t i = 0; i < entry.subcommands.size(); ++i)
    text += fmt::format("| `{}` | {} |\n", entry.subcommands[i], cell(entry.subcommand_descriptions[i]));
  text += "\n| option | |\n|---|---|\n";
  for (const OptionEntry& option : entry.options) {
    const std::string value = value_text(option);
    const std::string head =
        option.names.empty() ? value
                             : fmt::format("{}{}{}", fmt::join(option.names, ", "), value.empty() ? "" : "=", value);
    text += fmt::format("| `{}` | {} |\n", cell(head), cell(whole_description(option)));
  }
  if (!entry.help.notes.empty()) {
    text += "\n";
    std::istringstream lines(entry.help.notes);
    for (std::string line; std::getline(lines, line);) text += "    " + line + "\n";
  }
  if (!entry.help.exit_codes.empty()) text += "\nExit code: " + entry.help.exit_codes + "\n";
  return text;
}

std::string markdown(const CLI::App& app) {
  std::string text =
      "# Commands and options\n\nMade by `heddle manual --format=markdown` from the table that also makes `--help`; a "
      "test asks that it is up to date.\n";
  for (const CommandEntry& entry : command_table(app)) text += markdown_of(entry);
  return text;
}

int write_pages(const CLI::App& app, const std::string& directory, bool as_markdown) {
  if (as_markdown) {
    if (directory.empty()) {
      say("{}", markdown(app));
      return kNothingFound;
    }
    auto written = base::write_file(directory + "/commands.md", markdown(app));
    return written ? kNothingFound : report(written.error());
  }
  for (const CommandEntry& entry : command_table(app)) {
    if (directory.empty()) {
      say("{}", page_of(entry));
      continue;
    }
    if (auto written = base::write_file(fmt::format("{}/{}.1", directory, page_name(entry)), page_of(entry)); !written)
      return report(written.error());
  }
  return kNothingFound;
}

}  // namespace

void add_manual_command(CLI::App& app, Action& action) {
  auto directory = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("troff");
  CLI::App* command = app.add_subcommand("manual", "print the manual pages, or write one file each");
  command->add_option("-o,--output", *directory, "folder for the pages; if not given: all of them to standard output")
      ->type_name("DIR");
  command->add_option("--format", *format, "troff: manual pages; markdown: all in one page, commands.md")
      ->check(CLI::IsMember({"troff", "markdown"}))
      ->capture_default_str();
  set_help(*command, {{{"heddle manual -o .", "then: man ./heddle-check.1"}}, "", "0, 3 the folder cannot be written"});
  command->callback([&app, directory, format, &action] {
    action = [&app, directory, format] { return write_pages(app, *directory, *format == "markdown"); };
  });
}

}  // namespace heddle::cli
