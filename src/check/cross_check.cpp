// SPDX-License-Identifier: Apache-2.0
#include "check/cross_check.h"

#include <algorithm>
#include <set>

namespace heddle::check {

namespace {

// Of a deadlock or livelock only the kind: which threads wait where depends on which of its executions was seen first.
std::string name_of(const Finding& finding) {
  const bool is_stuck = finding.kind == "deadlock" || finding.kind == "livelock";
  std::string name = finding.kind;
  if (!is_stuck && !finding.places.empty())
    name += " at " + finding.places[0].file + ":" + std::to_string(finding.places[0].line);
  return name;
}

std::set<std::string> confirmed_findings(const Report& report) {
  std::set<std::string> names;
  for (const Finding& finding : report.findings)
    if (finding.confirmed) names.insert(name_of(finding));
  return names;
}

std::set<std::string> outcomes_of(const Report& report) {
  std::set<std::string> texts;
  for (const Outcome& outcome : report.outcomes) {
    std::string text;
    for (const auto& [name, value] : outcome) text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
    texts.insert(std::move(text));
  }
  return texts;
}

// What the first has and the second lacks.
void compare(const char* what, const CrossChecked& one, const std::set<std::string>& ones, const CrossChecked& other,
             const std::set<std::string>& others, std::vector<std::string>& differences) {
  for (const std::string& name : ones)
    if (!others.contains(name))
      differences.push_back(std::string(what) + " " + (name.empty() ? "(nothing observed)" : name) + ": found by " +
                            one.reduction + ", not by " + other.reduction);
}

// It explored everything: what it did not find is not there.
bool is_whole(const Report& report) { return report.gaps.empty(); }

}  // namespace

std::vector<std::string> differences_of(const std::vector<CrossChecked>& sides) {
  std::vector<std::string> differences;
  for (const CrossChecked& one : sides) {
    for (const CrossChecked& other : sides) {
      if (&one == &other || !is_whole(other.report)) continue;
      compare("finding", one, confirmed_findings(one.report), other, confirmed_findings(other.report), differences);
      compare("outcome", one, outcomes_of(one.report), other, outcomes_of(other.report), differences);
    }
  }
  return differences;
}

}  // namespace heddle::check
