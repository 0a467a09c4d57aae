// SPDX-License-Identifier: Apache-2.0
//
// heddle explain: what a kind of finding is and what helps, without a network.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/spelling.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "report/finding_kinds.h"

namespace heddle::cli {
namespace {

constexpr size_t kWidth = 88;

// Lines of at most kWidth letters, broken at blanks.
std::string wrapped(std::string_view text) {
  std::string result;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > kWidth) {
      result += '\n';
      column = 0;
    }
    if (column > 0 && !word.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    if (end < text.size() && text[end] == '\n') {
      result += '\n';
      column = 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

int explain(const std::string& name) {
  if (name.empty()) {
    for (const report::FindingKind& kind : report::finding_kinds()) fmt::print("{:20} {}\n", kind.name, kind.summary);
    return kNothingFound;
  }
  const report::FindingKind* kind = report::find_finding_kind(name);
  if (!kind) {
    std::vector<std::string_view> names;
    for (const report::FindingKind& known : report::finding_kinds()) names.push_back(known.name);
    fmt::print(stderr, "heddle: there is no kind of finding called {}\n", name);
    if (const std::string_view near = base::nearest_word(name, names); !near.empty())
      fmt::print(stderr, "heddle: did you mean {}?\n", near);
    fmt::print(stderr, "heddle: heddle explain lists all\n");
    return kUsage;
  }
  fmt::print("{} ({})\n\n{}\n\n{}\n", kind->title, kind->name, wrapped(kind->summary), wrapped(kind->help));
  fmt::print("\nExample: {}\n", kind->example);
  return kNothingFound;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "explain a kind of finding and what helps");
  command->add_option("kind", *name, "as in a report: race, deadlock, ...; none: list all")->type_name("KIND");
  set_help(*command,
           {{{"heddle explain race", ""}, {"heddle explain", "all kinds"}}, "", "0, 2 there is no such kind"});
  command->callback([name, &action] { action = [name] { return explain(*name); }; });
}

}  // namespace heddle::cli
