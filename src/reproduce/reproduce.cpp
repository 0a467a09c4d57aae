// SPDX-License-Identifier: Apache-2.0
#include "reproduce/reproduce.h"

#include <fmt/format.h>

#include <chrono>
#include <sstream>

#include "abi/version.h"
#include "base/cpu_time.h"
#include "build/outside_inputs.h"
#include "build/recorded_reads.h"
#include "build/sources.h"
#include "build/switch_numbers.h"
#include "build/target.h"
#include "execute/steady_run.h"
#include "execute/subject.h"
#include "reproduce/given_inputs.h"
#include "schedule/result.h"

namespace heddle::reproduce {
namespace {

// The program as it was recorded: the module optimised for the user.
base::Result<program::WholeProgram> take_in(const record::Facts& facts) {
  build::IntakeOptions options;
  options.optimised = true;
  options.cflags.push_back("-O2");
  for (const std::string& text : facts.cflags) {
    std::istringstream words(text);
    for (std::string word; words >> word;) options.cflags.push_back(word);
  }
  auto program = build::intake(facts.inputs, options);
  if (program && !facts.module_hash.empty() && program->hash() != facts.module_hash)
    return base::Error{"the program is not the one that was recorded: " + facts.program,
                       "recordings speak of one version of a program; take the sources and flags of that time"};
  return program;
}

base::Result<execute::Subject> make_subject(const record::Facts& facts, bool with_records) {
  auto program = take_in(facts);
  if (!program) return program.error();
  build::TargetOptions options;
  options.functions = options.branches = options.values = with_records;
  auto target = build::make_target(std::move(*program), options);
  if (!target) return target.error();
  return execute::subject_of(*target, facts.arguments);
}

// Runs the schedule once more, without records and in a fresh process.
base::Result<bool> confirm(const execute::Subject& subject, execute::ExecutorOptions how, const FailurePlace& failure,
                           property::Finding& finding) {
  if (how.isolation != execute::Isolation::kFresh) how.isolation = execute::Isolation::kFork;
  auto executor = execute::Executor::start(subject, how);
  if (!executor) return executor.error();
  execute::RunRequest request;
  request.prefix = &finding.schedule;
  auto run = execute::run_steadily(**executor, request);
  if (!run) return run.error();
  finding.trace = std::make_shared<const trace::Trace>((*executor)->to_trace(*run, request));
  finding.confirmed = fails_like(*finding.trace, failure);
  if (finding.confirmed) finding.schedule.result = schedule::result_of(run->ending);
  return finding.confirmed;
}

std::string kind_of(const trace::Ending& ending) {
  switch (ending.outcome) {
    case HEDDLE_OUTCOME_FAILURE: return property::finding_kind(static_cast<HeddleFailure>(ending.detail));
    case HEDDLE_OUTCOME_DEADLOCK: return "deadlock";
    default: return "exit-code";
  }
}

void describe(const trace::Trace& trace, property::Finding& finding) {
  finding.kind = kind_of(trace.ending);
  finding.message = !trace.ending.message.empty() ? trace.ending.message
                    : trace.ending.outcome == HEDDLE_OUTCOME_EXIT
                        ? fmt::format("the program ended with code {}", trace.ending.detail)
                        : finding.kind;
  for (const trace::Event& event : trace.events) {
    if (event.record.kind != HEDDLE_FAIL) continue;
    const trace::Site& site = trace.sites[event.record.site < trace.sites.size() ? event.record.site : 0];
    finding.places = {{site.file, site.line, site.function, trace.thread_name(event.record.thread)}};
  }
}

// A run that did what the user calls a failure: it ended as if nothing had happened.
void describe(const BugCondition& bug, property::Finding& finding) {
  finding.kind = "assertion";
  finding.message = bug.text();
  for (const trace::Event& event : finding.trace->events) {
    if (!bug.happened(event.record, finding.trace->sites)) continue;
    const trace::Site& site = finding.trace->sites[event.record.site];
    finding.places = {{site.file, site.line, site.function, finding.trace->thread_name(event.record.thread)}};
  }
}

// Functions that may have brought something else than in the recorded run.
void add_inputs_not_given(Report& report, const std::vector<std::string>& functions) {
  if (functions.empty()) return;
  constexpr size_t kMostNamed = 8;
  std::string names;
  for (size_t i = 0; i < functions.size() && i < kMostNamed; ++i) names += (i == 0 ? "" : ", ") + functions[i];
  if (functions.size() > kMostNamed) names += fmt::format(" and {} more", functions.size() - kMostNamed);
  report.gaps.raise(HEDDLE_GAP_INPUTS_NOT_GIVEN, names);
}

// What a recording that kept only the end does not have, and what to do about it.
void add_what_was_dropped(Report& report, const record::Recording& recording) {
  std::string paths;
  for (const record::Thread& thread : recording.threads)
    if (thread.skipped && !thread.is_handler)
      paths += fmt::format("{}{} of {}", paths.empty() ? "" : ", ", thread.skipped, thread.name);
  if (!paths.empty()) report.gaps.raise(HEDDLE_GAP_BEGINNING_DROPPED, paths);
  if (const std::string names = recording.without_first_notes(); !names.empty())
    report.gaps.raise(HEDDLE_GAP_INPUTS_DROPPED, names);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

base::Result<Report> reproduce(const record::Recording& recording, const SearchOptions& options,
                               const execute::ExecutorOptions& how) {
  const double start = now();
  Report report;
  const auto finish = [&] {
    report.seconds = now() - start;
    report.cpu_seconds = base::cpu_seconds();
    return std::move(report);
  };
  report.program = recording.facts.program;
  report.module_hash = recording.facts.module_hash;
  report.threads = recording.threads.size();
  report.remarks = recording.remarks;
  std::optional<FailurePlace> failure = failure_of(recording);
  if (options.bug) {
    failure.emplace();
    failure->kind = FailurePlace::Kind::kCondition;
    failure->bug = options.bug;
  }
  if (!failure) return base::Error{"the recorded program did not fail", "record a run that does"};
  if (const std::string late = recording.seen_late(); !late.empty()) {
    report.failure = failure->text({});
    report.gaps.raise(HEDDLE_GAP_BEGINNING_MISSING, late);
    return finish();
  }
  if (recording.instrumentation != HEDDLE_INSTRUMENTATION_VERSION)
    return base::Error{"the recording was made by another version of heddle", "record it again"};
  SearchOptions search_options = options;
  if (options.explanation.constraints == Constraints::kH3 && !recording.has_cores) {
    report.remarks.push_back("the order of each core was not recorded: constraints are those of clap");
    search_options.explanation.constraints = Constraints::kClap;
  }

  report.inputs = given_inputs(recording);
  auto given = GivenInputs::provide(report.inputs);
  if (!given) return given.error();

  auto program = take_in(recording.facts);
  if (!program) return program.error();
  auto numbered = build::number_program(*program, false);
  if (!numbered) return numbered.error();
  auto subject = make_subject(recording.facts, true);
  if (!subject) return subject.error();
  if (auto found = build::find_addresses(*numbered, subject->executable); !found) return found.error();
  report.failure = failure->text(*subject->sites);
  const std::vector<std::string> not_given = inputs_not_given(recording, build::inputs_not_told(*numbered));
  search_options.lacks_inputs = !not_given.empty();
  const SwitchNumbers switches = build::switch_numbers(*numbered);
  const std::set<uint32_t> reads = build::recorded_reads(*numbered);
  auto result = Search(recording, *failure, *subject, *numbered, switches, reads, search_options).run(how);
  if (!result) return result.error();
  report.statistics = result->statistics;
  if (report.statistics.fixed_operations)
    report.remarks.push_back(
        fmt::format("the first {} operations are as one controlled run performed them; those after them were explained",
                    report.statistics.fixed_operations));
  report.interrupted = result->interrupted;
  if (report.interrupted)
    report.gaps.raise(HEDDLE_GAP_REPRODUCTION_STOPPED,
                      fmt::format("{} of {}", report.statistics.known_bits, report.statistics.recorded_bits));
  if (!result->schedule) {
    report.gaps.raise(HEDDLE_GAP_NOT_EXPLAINED, result->reason);
    add_inputs_not_given(report, not_given);
    add_what_was_dropped(report, recording);
    return finish();
  }

  auto plain = make_subject(recording.facts, false);
  if (!plain) return plain.error();
  report.finding.schedule = std::move(*result->schedule);
  auto confirmed = confirm(*plain, how, *failure, report.finding);
  if (!confirmed) return confirmed.error();
  report.reproduced = *confirmed;
  if (report.reproduced) describe(*report.finding.trace, report.finding);
  if (report.reproduced && options.bug) describe(*options.bug, report.finding);
  if (!report.reproduced) {
    report.gaps.raise(HEDDLE_GAP_NOT_CONFIRMED);
    add_inputs_not_given(report, not_given);
    add_what_was_dropped(report, recording);
  }
  return finish();
}

}  // namespace heddle::reproduce
