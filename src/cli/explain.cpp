// SPDX-License-Identifier: Apache-2.0
//
// heddle explain: what a kind of finding or a gap is and what helps, without a network.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/spelling.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "report/finding_kinds.h"
#include "report/gap_texts.h"

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

// A gap's sentence for nobody in particular.
std::string sentence_of(HeddleGap gap) { return report::reason_of({gap, "..."}).text; }

void list_kinds() {
  for (const report::FindingKind& kind : report::finding_kinds()) say("{:20} {}\n", kind.name, kind.summary);
}

void list_gaps() {
  for (const HeddleGap gap : report::all_gaps()) {
    const std::string text = sentence_of(gap);
    say("{:22} {}\n", heddle_gap_code(gap), text == "..." ? "the reason is said with it" : text);
  }
}

// Several gaps may have the same code. False: there is none.
bool explain_gaps(const std::string& code) {
  bool found = false;
  for (const HeddleGap gap : report::all_gaps()) {
    if (code != heddle_gap_code(gap)) continue;
    if (!found) say("A gap ({}): something that keeps an answer from covering everything.\n", code);
    found = true;
    const std::string text = sentence_of(gap);
    if (text != "...") say("\n{}\n", wrapped(text));
    if (const std::string_view help = report::gap_text(gap).help; !help.empty())
      say("{}\n", wrapped("What helps: " + std::string(help)));
  }
  return found;
}

int explain(const std::string& name) {
  if (name.empty() || name == "gaps") {
    name.empty() ? list_kinds() : list_gaps();
    return kNothingFound;
  }
  const report::FindingKind* kind = report::find_finding_kind(name);
  const bool is_gap = explain_gaps(name);
  if (!kind && is_gap) return kNothingFound;
  if (kind && is_gap) say("\n");
  if (!kind) {
    std::vector<std::string_view> names;
    for (const report::FindingKind& known : report::finding_kinds()) names.push_back(known.name);
    for (const HeddleGap gap : report::all_gaps()) names.emplace_back(heddle_gap_code(gap));
    tell("heddle: there is no kind of finding and no gap called {}\n", name);
    if (const std::string_view near = base::nearest_word(name, names); !near.empty())
      tell("heddle: did you mean {}?\n", near);
    tell("heddle: heddle explain lists all\n");
    return kUsage;
  }
  say("{} ({})\n\n{}\n\n{}\n", kind->title, kind->name, wrapped(kind->summary), wrapped(kind->help));
  say("\nExample: {}\n", kind->example);
  return kNothingFound;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "explain a kind of finding, or a gap, and what helps");
  command
      ->add_option("kind", *name,
                   "as in a report: race, deadlock, ..., or the code of a gap: time, not-modelled, ...; none: list all")
      ->type_name("KIND");
  set_help(*command, {{{"heddle explain race", ""},
                       {"heddle explain not-modelled", "a gap, as in the reasons of result.json"},
                       {"heddle explain", "all kinds of findings"},
                       {"heddle explain gaps", "all that keeps an answer from covering everything"}},
                      "",
                      "0, 2 there is no such kind"});
  command->callback([name, &action] { action = [name] { return explain(*name); }; });
}

}  // namespace heddle::cli
