// SPDX-License-Identifier: Apache-2.0
//
// Every program of this folder: it ends as it says, on both carriers, with the
// same trace, which replays identically on both; and where it says so, under
// random and PCT schedules too, whose schedules replay as well. All of that under
// each memory model, unless the program says that it needs sequential consistency.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "build/sources.h"
#include "build/target.h"
#include "cli/outcome_text.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "paths.h"
#include "programs/expectation.h"
#include "schedule/from_trace.h"
#include "schedule/result.h"
#include "trace/kinds.h"
#include "trace/text.h"
#include "trace/validate.h"

namespace heddle::tests {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(std::string(kTestsFolder) + "/programs")) {
    const std::string name = entry.path().filename();
    const bool test = name == "program_test.cpp" || name == "expectation.cpp";
    if (!test && (name.ends_with(".c") || name.ends_with(".cpp"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Collects what the program prints.
class Output {
 public:
  Output() : file_(::memfd_create("output", 0)) {}
  ~Output() { ::close(file_); }
  int file() const { return file_; }
  std::string take() {
    std::string text(static_cast<size_t>(std::max<off_t>(::lseek(file_, 0, SEEK_END), 0)), '\0');
    EXPECT_EQ(::pread(file_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    EXPECT_EQ(::ftruncate(file_, 0), 0);
    ::lseek(file_, 0, SEEK_SET);
    return text;
  }

 private:
  int file_;
};

// The events as text, one a line: what must be equal between runs.
std::string events_text(const trace::Trace& trace) {
  std::string text;
  for (const trace::Event& event : trace.events) text += trace::event_text(trace, event) + "\n";
  return text;
}

std::string first_difference(const std::string& a, const std::string& b) {
  if (a == b) return "";
  size_t line = 1, start = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i])
      return fmt::format("line {}: '{}' and '{}'", line, a.substr(start, a.find('\n', start) - start),
                         b.substr(start, b.find('\n', start) - start));
    if (a[i] == '\n') ++line, start = i + 1;
  }
  return a.size() == b.size()
             ? ""
             : fmt::format("one ends at line {}: '{}'", line, (a.size() > b.size() ? a : b).substr(start, 200));
}

class Program : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string path = std::string(kTestsFolder) + "/programs/" + GetParam();
    expectation_ = read_expectation(path);
    build::IntakeOptions intake;
    intake.cflags = expectation_.cflags;
    if (path.ends_with(".cpp")) intake.cflags.insert(intake.cflags.begin(), "-std=c++20");
    auto program = build::intake({path}, intake);
    ASSERT_TRUE(program) << program.error().message;
    auto target = build::make_target(std::move(*program), {});
    ASSERT_TRUE(target) << target.error().message;
    subject_ = execute::subject_of(*target, expectation_.arguments);
    for (const auto carrier : {execute::Carrier::kFiber, execute::Carrier::kThread}) {
      execute::ExecutorOptions options;
      options.carrier = carrier;
      options.output = output_.file();
      options.errors = 2;
      options.hang_seconds = 5;
      auto executor = execute::Executor::start(subject_, options);
      ASSERT_TRUE(executor) << executor.error().message;
      executors_.push_back(std::move(*executor));
    }
  }

  trace::Trace run(size_t carrier, execute::RunRequest request) {
    request.idle_limit = 5000;  // soon enough for the programs that never end
    auto run = executors_[carrier]->run(request);
    EXPECT_TRUE(run) << run.error().message;
    return executors_[carrier]->to_trace(*run, request);
  }

  void expect_ending(const trace::Trace& trace, const std::string& printed, bool default_schedule,
                     const std::string& when) {
    EXPECT_EQ(schedule::outcome_kind(trace), expectation_.outcome) << when << ": " << cli::outcome_text(trace);
    if (expectation_.outcome == "exit") EXPECT_EQ(std::to_string(trace.ending.detail), expectation_.detail) << when;
    if (expectation_.outcome == "signal")
      EXPECT_NE(trace.ending.message.find("SIG" + expectation_.detail), std::string::npos) << trace.ending.message;
    if (expectation_.outcome == "exception") EXPECT_EQ(trace.ending.message, expectation_.detail);
    if (expectation_.checks_output && (default_schedule || !expectation_.output_by_default_only)) {
      std::string wanted;
      for (const std::string& line : expectation_.output) wanted += line + "\n";
      EXPECT_EQ(printed, wanted) << when;
    }
    const auto problems = trace::validate(trace);
    EXPECT_TRUE(problems.empty()) << when << ": " << trace::problems_text(trace, problems);
    for (const auto& [kind, least] : expectation_.contains) {
      std::string name = kind;
      std::replace(name.begin(), name.end(), '-', '_');
      const auto count = std::count_if(trace.events.begin(), trace.events.end(), [&](const trace::Event& event) {
        return name == trace::kind_name(event.record.kind);
      });
      EXPECT_GE(static_cast<size_t>(count), least) << when << ": events of kind " << kind;
    }
  }

  void expect_replays(const trace::Trace& trace, const std::string& when) {
    const schedule::Schedule schedule = schedule::from_trace(trace);
    execute::RunRequest request;
    request.prefix = &schedule;
    for (size_t carrier = 0; carrier < executors_.size(); ++carrier) {
      const trace::Trace again = run(carrier, request);
      output_.take();
      EXPECT_EQ(first_difference(events_text(trace), events_text(again)), "")
          << when << ", replay on carrier " << carrier;
      EXPECT_EQ(trace.ending, again.ending) << when << ", replay: " << again.ending.message;
    }
  }

  void expect_under_other_schedules(schedule::MemoryModel model, uint64_t seeds, size_t length) {
    for (const auto strategy : {HEDDLE_STRATEGY_RANDOM, HEDDLE_STRATEGY_PCT}) {
      for (uint64_t seed = 1; seed <= seeds; ++seed) {
        const std::string when = fmt::format("{}, strategy {} seed {}", schedule::memory_model_name(model),
                                             static_cast<int>(strategy), seed);
        execute::RunRequest request;
        request.memory = model;
        request.strategy = strategy;
        request.seed = seed;
        request.pct_length = static_cast<uint32_t>(length);
        request.event_limit = 2000000;
        const trace::Trace trace = run(0, request);
        expect_ending(trace, output_.take(), false, when);
        expect_replays(trace, when);
        if (HasFailure()) return;
      }
    }
  }

  Expectation expectation_;
  execute::Subject subject_;
  Output output_;
  std::vector<std::unique_ptr<execute::Executor>> executors_;
};

TEST_P(Program, BehavesAsItSays) {
  const trace::Trace first = run(0, {});
  const std::string printed = output_.take();
  expect_ending(first, printed, true, "default schedule");
  const trace::Trace other_carrier = run(1, {});
  EXPECT_EQ(output_.take(), printed);
  EXPECT_EQ(first_difference(events_text(first), events_text(other_carrier)), "") << "between carriers";
  expect_replays(first, "default schedule");
  if (expectation_.all_schedules) expect_under_other_schedules(schedule::MemoryModel::kSc, 5, first.events.size());
}

TEST_P(Program, BehavesSoUnderWeakMemory) {
  if (!expectation_.all_memory_models) return;
  // Each schedule is run on both carriers and replayed on both; a third of the
  // programs, spread by name, keeps this within minutes. HEDDLE_ALL_PROGRAMS=1 runs all.
  if (!std::getenv("HEDDLE_ALL_PROGRAMS") && std::hash<std::string>()(GetParam()) % 3 != 0) return;
  for (const auto model : {schedule::MemoryModel::kTso, schedule::MemoryModel::kPso}) {
    const std::string when = fmt::format("{}, default schedule", schedule::memory_model_name(model));
    execute::RunRequest request;
    request.memory = model;
    const trace::Trace first = run(0, request);
    expect_ending(first, output_.take(), true, when);
    expect_replays(first, when);
    if (expectation_.all_schedules) expect_under_other_schedules(model, 2, first.events.size());
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Program, testing::ValuesIn(program_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace heddle::tests
