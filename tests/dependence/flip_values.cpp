// SPDX-License-Identifier: Apache-2.0
#include "dependence/flip_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "execute/executor.h"
#include "execute/subject.h"

namespace heddle::tests {
namespace {

std::vector<HeddleRecord> operations(const execute::Run& run) {
  std::vector<HeddleRecord> result;
  std::copy_if(run.records.begin(), run.records.end(), std::back_inserter(result), trace::is_visible);
  return result;
}

// Operations that no instruction stands for: the table is asked for site 0.
bool has_no_site(const HeddleRecord& record) {
  return record.kind == HEDDLE_EXIT || record.kind == HEDDLE_FAIL || record.kind == HEDDLE_THREAD_END;
}

bool same(const HeddleRecord& a, const HeddleRecord& b) {
  // What an operation gives back is not up to the thread.
  const bool gives = a.kind == HEDDLE_LOAD || a.kind == HEDDLE_NONDET;
  return a.kind == b.kind && a.site == b.site && a.size == b.size && a.address == b.address &&
         (gives || (a.value == b.value && a.value2 == b.value2 && a.flags == b.flags));
}

// There is one thread, so the steps are its operations.
schedule::Schedule schedule_of(const std::vector<HeddleRecord>& run) {
  schedule::Schedule result;
  for (const HeddleRecord& record : run) {
    schedule::Step& step = result.steps.emplace_back();
    step.kind = record.kind == HEDDLE_NONDET ? schedule::StepKind::kNondet : schedule::StepKind::kOp;
    step.index = record.index;
    step.site = has_no_site(record) ? 0 : record.site;
    if (record.kind == HEDDLE_NONDET) step.value = static_cast<int64_t>(record.value);
  }
  return result;
}

class Flips {
 public:
  Flips(const build::Target& target, const std::string& argument, execute::Executor& executor)
      : target_(target), argument_(argument), executor_(executor) {}

  void seed(uint64_t seed) {
    execute::RunRequest request;
    request.strategy = HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    request.event_limit = 5000;
    auto run = executor_.run(request);
    if (!run) return fail(run.error().message);
    const std::vector<HeddleRecord> first = operations(*run);
    const schedule::Schedule schedule = schedule_of(first);
    for (size_t i = 0; i < first.size(); ++i) {
      if (first[i].kind != HEDDLE_NONDET) continue;
      ++summary.choices;
      summary.steering += target_.dependence->steers(first[i].site);
      for (size_t j = i + 1; j < first.size(); ++j) {
        ++summary.answers;
        summary.independent += !target_.dependence->may_depend(first[j].site, first[i].site);
      }
      const auto lowest = static_cast<int64_t>(first[i].address), highest = static_cast<int64_t>(first[i].value2);
      for (int64_t value = lowest; value <= highest; ++value)
        if (value != static_cast<int64_t>(first[i].value)) flip(first, schedule, i, value);
    }
  }

  FlipSummary summary;

 private:
  void fail(const std::string& text) {
    ++summary.missed;
    summary.text += argument_ + ": " + text + "\n";
  }

  std::vector<HeddleRecord> follow(const schedule::Schedule& schedule) {
    execute::RunRequest request;
    request.prefix = &schedule;
    request.event_limit = 5000;
    auto run = executor_.run(request);
    if (run) return operations(*run);
    fail(run.error().message);
    return {};
  }

  void flip(const std::vector<HeddleRecord>& first, schedule::Schedule schedule, size_t choice, int64_t value) {
    ++summary.flips;
    schedule.steps[choice].value = value;
    const std::vector<HeddleRecord> second = follow(schedule);
    size_t at = choice + 1;
    while (at < first.size() && at < second.size() && same(first[at], second[at])) ++at;
    if (at == first.size() && at == second.size()) return;
    ++summary.differences;
    // The schedule holds for the common part only: the second run as it goes on by itself.
    schedule.steps.resize(std::min(at, schedule.steps.size()));
    const std::vector<HeddleRecord> rest = follow(schedule);
    const uint32_t chosen = first[choice].site, one = site_of(first, at), other = site_of(rest, at);
    const program::SiteDependence& table = *target_.dependence;
    // Operations that both runs perform, one of them later, need not depend on the choice.
    const bool admitted =
        one == other ? table.may_depend(one, chosen)
                     : table.steers(chosen) && (table.may_depend(one, chosen) || table.may_depend(other, chosen));
    if (admitted) return;
    ++summary.missed;
    summary.text +=
        fmt::format("{}: operation {} at {} or {} differs with the choice {} at {}, {} for {}, steers: {}\n", argument_,
                    at, place(one), place(other), choice, place(chosen), value,
                    static_cast<int64_t>(first[choice].value), table.steers(chosen));
  }

  static uint32_t site_of(const std::vector<HeddleRecord>& run, size_t at) {
    return at >= run.size() || has_no_site(run[at]) ? 0 : run[at].site;
  }

  std::string place(uint32_t site) const {
    const trace::Site& where = target_.sites[site < target_.sites.size() ? site : 0];
    return fmt::format("{}:{}:{} ({})", where.function, where.line, where.column, where.variable);
  }

  const build::Target& target_;
  const std::string& argument_;
  execute::Executor& executor_;
};

}  // namespace

void FlipSummary::add(const FlipSummary& other) {
  flips += other.flips;
  differences += other.differences;
  missed += other.missed;
  answers += other.answers;
  independent += other.independent;
  choices += other.choices;
  steering += other.steering;
  text += other.text;
}

FlipSummary flip_values(const build::Target& target, const std::string& argument, int seeds) {
  FlipSummary failed;
  execute::Subject subject = execute::subject_of(target, {argument});
  subject.sites = std::make_shared<const std::vector<trace::Site>>();  // places of sites are not needed, and many
  auto executor = execute::Executor::start(subject, {});
  if (!executor) {
    failed.missed = 1;
    failed.text = executor.error().message;
    return failed;
  }
  Flips flips(target, argument, **executor);
  for (int seed = 0; seed < seeds; ++seed) flips.seed(static_cast<uint64_t>(seed));
  return flips.summary;
}

}  // namespace heddle::tests
