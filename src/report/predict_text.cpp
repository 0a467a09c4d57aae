// SPDX-License-Identifier: Apache-2.0
#include "report/predict_text.h"

#include <fmt/format.h>

#include "report/counted.h"
#include "report/counterexample_text.h"
#include "report/program_facts.h"

namespace heddle::report {

namespace {

std::string title(const property::Finding& finding, Style style, const ColumnOptions& columns) {
  return styled(fmt::format("{}: {}", finding.kind, finding.message), style, columns.colour) + "\n";
}

std::string verdict_line(const predict::Report& report, const Answer& answer) {
  if (report.found) return "found";
  return answer.reasons.empty() ? "nothing predicted" : "nothing predicted, but not everything was looked at";
}

}  // namespace

Answer answer_of(const predict::Report& report) {
  return {report.found ? "found" : "nothing-predicted", reasons_of(report.gaps)};
}

std::string predict_text(const predict::Report& report, const Answer& answer,
                         const std::vector<Explanation>& explanations, const std::string& directory,
                         const ColumnOptions& columns) {
  std::string text, silenced, doubted;
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const property::Finding& finding = report.findings[i];
    const std::string explained = explanation_text(finding, explanations[i]);
    if (!finding.silenced.empty()) {
      silenced += fmt::format("{}  {}\n", title(finding, Style::kBold, columns), finding.silenced);
      continue;
    }
    if (!stands(finding, report)) {
      doubted += title(finding, Style::kBold, columns) + explained + "  " + finding.doubt + "\n";
      continue;
    }
    text += title(finding, Style::kRed, columns) + explained;
    if (!report.has_program) {
      text += fmt::format("  the order in {}/{} is possible on the trace; without the program it was not run\n\n",
                          directory, schedule_file(i));
      continue;
    }
    if (finding.trace) text += "\n" + counterexample_text(*finding.trace, columns) + "\n";
    const std::string command = fmt::format("heddle replay {}/{}", directory, schedule_file(i));
    text += fmt::format("  replay: {}\n\n", styled(command, Style::kBold, columns.colour));
  }
  if (!silenced.empty()) text += "of no account:\n" + silenced + "\n";
  if (!doubted.empty()) text += "not confirmed:\n" + doubted + "\n";
  text += styled(verdict_line(report, answer), report.found ? Style::kRed : Style::kBold, columns.colour) + "\n";
  for (const Reason& reason : answer.reasons) {
    text += fmt::format("  there may be more: {}\n", reason.text);
    if (!reason.help.empty()) text += fmt::format("  what helps: {}\n", reason.help);
  }
  const predict::Statistics& statistics = report.statistics;
  text += fmt::format(
      "{} in {}, {}, {} ({} without search), {}, {:.2f} s\n", counted(statistics.events, "event", "events"),
      counted(statistics.windows, "window", "windows"), counted(statistics.candidates, "candidate", "candidates"),
      counted(statistics.solver_queries, "solver query", "solver queries"), statistics.decided_without_search,
      counted(statistics.other_runs, "other run", "other runs"), statistics.seconds);
  if (statistics.instructions > 0)
    text += fmt::format("{} about values in {:.2f} s; {} held, of {}\n",
                        counted(statistics.value_questions, "question", "questions"), statistics.value_seconds,
                        counted(statistics.held_values, "value", "values"),
                        counted(statistics.instructions, "instruction", "instructions"));
  return text + fmt::format("results in {}\n", directory);
}

}  // namespace heddle::report
