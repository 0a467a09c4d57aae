// SPDX-License-Identifier: Apache-2.0
#include "oracle/subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "check/reduction_names.h"
#include "check/session.h"
#include "execute/executor.h"

namespace heddle::oracle {
namespace {

schedule::MemoryModel model_of(MemoryModel model) {
  switch (model) {
    case MemoryModel::kSc: return schedule::MemoryModel::kSc;
    case MemoryModel::kTso: return schedule::MemoryModel::kTso;
    case MemoryModel::kPso: break;
  }
  return schedule::MemoryModel::kPso;
}

void add_finding(const check::Finding& finding, CheckedResult& result) {
  if (!finding.confirmed) {
    result.complete = false;
    result.text += fmt::format("not confirmed: {} {}\n", finding.kind, finding.message);
  }
  const auto line = [&](size_t place) { return static_cast<int>(finding.places.at(place).line); };
  if (finding.kind == "deadlock") {
    result.deadlock = true;
  } else if (finding.kind == "assertion" || finding.kind == "null-dereference" || finding.kind == "use-after-free" ||
             finding.kind == "double-free") {
    result.failing_assertion_lines.insert(line(0));
  } else if (finding.kind == "race") {
    const std::pair<int, int> lines = std::minmax(line(0), line(1));
    result.racing_lines.insert(lines);
    if (finding.enabled_at_once) result.enabled_at_once_lines.insert(lines);
  } else {
    result.complete = false;
    result.text += fmt::format("unexpected finding: {} {}\n", finding.kind, finding.message);
  }
}

}  // namespace

CheckedResult check_program(const execute::Subject& set, int program, const Choice& choice) {
  check::Options options;
  options.memory = model_of(choice.model);
  options.merge = choice.reduction != kLearnUnmerged;
  options.symmetry = choice.reduction == kLearnExchanging;
  const auto known = check::find_reduction(options.merge && !options.symmetry ? choice.reduction : "learn");
  HEDDLE_CHECK(known.has_value(), "the oracle names known reductions");
  options.reduction = *known;
  options.solver = choice.solver == "z3" ? check::SolverKind::kZ3 : check::SolverKind::kNative;
  options.races = choice.races;
  options.executions = choice.most_executions;
  options.keep_going = true;
  options.shorten = false;
  execute::Subject subject = set;
  subject.arguments = {std::to_string(program)};
  options.jobs = static_cast<uint32_t>(choice.jobs);
  CheckedResult result;
  auto checked = check::check(subject, {}, options);
  if (!checked) {
    result.text = checked.error().message;
    return result;
  }
  result.complete = checked->gaps.empty();
  const auto says = [&](const char* what) {
    return std::any_of(checked->notes.begin(), checked->notes.end(),
                       [&](const std::string& note) { return note.starts_with(what); });
  };
  result.left_to_mcr = options.reduction == check::Reduction::kLearn && says("explored by");
  result.kept_apart = says("threads do not change places");
  for (const gaps::Gap& gap : checked->gaps) result.gave_up |= gap.kind == HEDDLE_GAP_EXECUTION_LIMIT;
  for (const gaps::Gap& gap : checked->gaps) result.text += std::string(gap.code()) + ": " + gap.detail + "\n";
  for (const check::Outcome& outcome : checked->outcomes) result.outcomes.insert({outcome.begin(), outcome.end()});
  if (checked->statistics.states_are_known) result.states = checked->statistics.states;
  for (const std::string& note : checked->notes) result.text += note + "\n";
  for (const check::Finding& finding : checked->findings) add_finding(finding, result);
  result.text += fmt::format("{} executions, {} states", checked->statistics.executions, checked->statistics.states);
  return result;
}

}  // namespace heddle::oracle
