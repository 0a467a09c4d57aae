// SPDX-License-Identifier: Apache-2.0
#include "cli/check_answer.h"

#include <algorithm>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/passing_run.h"
#include "cli/report_formats.h"
#include "report/check_json.h"
#include "report/exploration_json.h"
#include "report/run_directory.h"
#include "schedule/schedule.h"
#include "trace/writer.h"

namespace heddle::cli {

namespace {

int exit_code(const check::Report& report, bool was_interrupted) {
  if (was_interrupted) return kInterrupted;
  return report.verdict == check::Verdict::kHolds      ? kNothingFound
         : report.verdict == check::Verdict::kViolated ? kFinding
                                                       : kUndecided;
}

}  // namespace

int CheckAnswer::give(const check::Report& report, KeptRun& run, base::Watchdog* watchdog, bool was_interrupted) const {
  const std::string json = report::check_json(report, facts);
  report::TextOptions options = text;
  options.directory = run.directory();
  const bool needs_directory = format == "html";
  if (format == "text") {
    say_text(report::check_text(report, report::answer_of(report), options));
  } else if (!needs_directory) {
    say_text(formatted_result(run.directory(), json, report.findings, format));
  }
  const bool is_out = flush_answer();
  const int code = exit_code(report, was_interrupted);
  if (watchdog && !needs_directory) watchdog->answered(is_out ? code : kAnswerLost);
  keep(report, json, run);
  if (!was_interrupted) keep_passing_run(report, run);
  if (needs_directory)
    if (auto printed = print_formatted(run.directory(), format); !printed) return cli::report(printed.error());
  return code;
}

void CheckAnswer::keep(const check::Report& report, const std::string& json, KeptRun& run) const {
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const std::string of_finding = " of finding " + std::to_string(i + 1);
    run.keep(report::schedule_file(i), "the schedule" + of_finding,
             [&](const std::string& path) { return schedule::write_schedule_file(path, report.findings[i].schedule); });
    if (!report.findings[i].trace) continue;
    run.keep(report::trace_file(i), "the trace" + of_finding,
             [&](const std::string& path) { return trace::write_trace(path, *report.findings[i].trace); });
  }
  // The last of them: a run directory with a result is whole.
  run.keep("result.json", "the result", [&](const std::string& path) { return base::write_file(path, json); });
  if (!subject) return;
  run.keep(report::kExplorationFile, "the tree of explored executions", [&](const std::string& path) {
    return base::write_file(path, report::exploration_json(report.exploration, *subject->sites));
  });
}

void CheckAnswer::keep_passing_run(const check::Report& report, KeptRun& run) const {
  const bool has_run = std::any_of(report.findings.begin(), report.findings.end(),
                                   [](const check::Finding& finding) { return finding.confirmed && finding.trace; });
  if (!has_run || !subject || !run.exists()) return;
  const auto trace = passing_run(*subject, execution, text.memory, event_limit);
  if (!trace) return;
  run.keep(report::kPassingTrace, "a run without failure",
           [&](const std::string& path) { return trace::write_trace(path, *trace); });
}

}  // namespace heddle::cli
