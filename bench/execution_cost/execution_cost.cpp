// SPDX-License-Identifier: Apache-2.0
//
// What one execution costs: the store-buffering example (two threads, four
// accesses), each time under another schedule that is enforced step by step,
// with the trace delivered to the host. CPU time of host and target together,
// median of several rounds, interleaved between the isolations.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "schedule/from_trace.h"

namespace {

using namespace heddle;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double cpu(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Variant {
  const char* name;
  execute::Isolation isolation;
  execute::Carrier carrier;
  size_t runs;
  double limit;  // microseconds; 0: shown only
  std::vector<double> measured;
  uint64_t events = 0;
};

// Schedules that random runs followed: enforced again, they are followed step by step.
std::vector<schedule::Schedule> some_schedules(const execute::Subject& subject) {
  std::vector<schedule::Schedule> schedules;
  auto executor = execute::Executor::start(subject, {});
  for (uint64_t seed = 0; executor && seed < 64; ++seed) {
    execute::RunRequest request;
    request.strategy = HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    auto run = (*executor)->run(request);
    if (run) schedules.push_back(schedule::from_trace((*executor)->to_trace(*run, request)));
  }
  return schedules;
}

bool measure(const execute::Subject& subject, const std::vector<schedule::Schedule>& schedules, Variant& variant) {
  execute::ExecutorOptions options;
  options.isolation = variant.isolation;
  options.carrier = variant.carrier;
  const double children = cpu(RUSAGE_CHILDREN);
  auto executor = execute::Executor::start(subject, options);
  if (!executor) return false;
  std::vector<execute::RunRequest> requests(variant.runs);
  for (size_t i = 0; i < requests.size(); ++i) requests[i].prefix = &schedules[i % schedules.size()];
  const double self = cpu(RUSAGE_SELF);
  bool good = true;
  uint64_t events = 0;
  auto done = (*executor)->run_batch(requests, [&](size_t, execute::Run& run) {
    good &= run.ending.outcome == HEDDLE_OUTCOME_EXIT || run.ending.outcome == HEDDLE_OUTCOME_FAILURE;
    events += run.records.size();
  });
  const double host = cpu(RUSAGE_SELF) - self;
  executor->reset();  // only now does the target's time count
  const double target = cpu(RUSAGE_CHILDREN) - children;
  variant.measured.push_back((host + target) / static_cast<double>(variant.runs) * 1e6);
  variant.events = events / variant.runs;
  return good && done;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto program = build::intake({argv[1]}, {});
  if (!program) return std::fprintf(stderr, "%s\n", program.error().message.c_str()), 3;
  auto target = build::make_target(std::move(*program), {});
  if (!target) return std::fprintf(stderr, "%s\n", target.error().message.c_str()), 3;
  const execute::Subject subject = execute::subject_of(*target);
  const auto schedules = some_schedules(subject);
  if (schedules.empty()) return 3;

  std::vector<Variant> variants = {
      {"in-process, fibers", execute::Isolation::kInProcess, execute::Carrier::kFiber, 20000, 20, {}},
      {"fork server, fibers", execute::Isolation::kFork, execute::Carrier::kFiber, 300, 700, {}},
      {"fork server, threads", execute::Isolation::kFork, execute::Carrier::kThread, 100, 0, {}},
      {"fresh process, fibers", execute::Isolation::kFresh, execute::Carrier::kFiber, 30, 0, {}},
  };
  constexpr int kRounds = 7;
  for (int round = 0; round < kRounds; ++round)
    for (Variant& variant : variants)
      if (!measure(subject, schedules, variant)) return std::fprintf(stderr, "%s: a run failed\n", variant.name), 1;

  bool within = true;
  fmt::print("| isolation and carrier | CPU per execution | goal | records |\n|---|---|---|---|\n");
  for (const Variant& variant : variants) {
    const double cost = median(variant.measured);
    within &= variant.limit == 0 || cost <= variant.limit;
    fmt::print("| {} | {:.1f} µs | {} | {} |\n", variant.name, cost,
               variant.limit == 0 ? "" : fmt::format("at most {:.0f} µs", variant.limit), variant.events);
  }
  return within ? 0 : 1;
}
