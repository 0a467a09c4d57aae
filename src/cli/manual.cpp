// SPDX-License-Identifier: Apache-2.0
//
// heddle manual: the manual pages, made from the table of options. One page for
// heddle, and one for each command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "abi/version.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"

namespace heddle::cli {
namespace {

// Text as troff takes it.
std::string troff(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\') result += "\\e";
    else if (letter == '-') result += "\\-";
    else if (letter == '\'' || letter == '.') result += result.empty() || result.back() == '\n' ? std::string("\\&") + letter : std::string(1, letter);
    else result += letter;
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
  std::string choices;
  for (const std::string& choice : option.choices) choices += (choices.empty() ? "" : "|") + choice;
  const std::string value = choices.empty() ? option.value : choices;
  if (!value.empty() && !option.names.empty()) head += "=\\fI" + troff(value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", head, troff(option.description));
}

std::string page_of(const CommandEntry& entry) {
  const std::string command = entry.name.empty() ? "heddle" : "heddle " + entry.name;
  std::string text = fmt::format(".\\\" made by heddle manual from the table of options\n.TH {} 1 \"\" \"heddle {}\" \"Heddle\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR",
                                 page_name(entry), HEDDLE_VERSION, troff(page_name(entry)), troff(entry.description), troff(command));
  if (!entry.subcommands.empty()) text += " \\fICOMMAND\\fR";
  for (const OptionEntry& option : entry.options)
    if (option.names.empty()) text += " [\\fI" + troff(option.value.empty() ? option.positional : option.value) + "\\fR]";
  text += " [\\fIOPTIONS\\fR]\n";
  if (!entry.subcommands.empty()) {
    text += ".SH COMMANDS\n";
    for (const std::string& name : entry.subcommands)
      text += fmt::format(".TP\n\\fB{}\\fR\nsee {}(1)\n", troff(command + " " + name), troff(page_name({entry.name.empty() ? name : entry.name + " " + name, "", "", {}, {}})));
  }
  text += ".SH OPTIONS\n";
  for (const OptionEntry& option : entry.options) text += option_page(option);
  if (!entry.footer.empty()) text += ".SH NOTES\n.nf\n" + troff(entry.footer) + "\n.fi\n";
  return text;
}

int write_pages(const CLI::App& app, const std::string& directory) {
  for (const CommandEntry& entry : command_table(app)) {
    if (directory.empty()) {
      fmt::print("{}", page_of(entry));
      continue;
    }
    if (auto written = base::write_file(fmt::format("{}/{}.1", directory, page_name(entry)), page_of(entry)); !written) return report(written.error());
  }
  return kNothingFound;
}

}  // namespace

void add_manual_command(CLI::App& app, Action& action) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("manual", "print the manual pages, or write one file each");
  command->add_option("-o,--output", *directory, "folder for the pages; if not given: all of them to standard output")->type_name("DIR");
  command->footer("Example: heddle manual | man -l -\nExit code: 0, 3 the folder cannot be written");
  command->callback([&app, directory, &action] { action = [&app, directory] { return write_pages(app, *directory); }; });
}

}  // namespace heddle::cli
