// SPDX-License-Identifier: Apache-2.0
//
// Long runs: a run in which the threads wait for each other near the ends of what is known of
// them, so that what comes before needs no explanation. And if no run goes the recorded ways so far: the
// beginning of the ways is left to chance, as if it had not been recorded.
#include "reproduce/search.h"
#include "schedule/from_trace.h"

namespace heddle::reproduce {
namespace {

constexpr uint64_t kMostToExplain = 4000;  // operations: exploration and solver come to an end
constexpr double kShareOfATry = 0.25;      // of the time that is left

// What is there of the recording if only the last bits of each path had been kept.
record::Recording last_part(const record::Recording& recording, uint64_t bits) {
  record::Recording result = recording;
  for (record::Thread& thread : result.threads) {
    const uint64_t dropped = thread.path.size() - std::min(thread.path.size(), bits);
    if (dropped == 0) continue;
    record::Path rest;
    for (uint64_t i = dropped; i < thread.path.size(); ++i) rest.append(thread.path[i]);
    thread.path = std::move(rest);
    thread.skipped += dropped;
    thread.from_beginning = false;
    thread.stamps.clear();
    thread.values.clear();
    std::vector<record::Stretch> stretches;
    for (record::Stretch stretch : result.stretches) {
      const bool is_own = stretch.thread == thread.number;
      if (is_own && stretch.end_site != 0 && stretch.end < dropped) continue;
      if (is_own && stretch.begin < dropped) stretch.begin_site = 0;
      if (is_own) stretch.begin -= std::min(stretch.begin, dropped), stretch.end -= std::min(stretch.end, dropped);
      stretches.push_back(stretch);
    }
    result.stretches = std::move(stretches);
    result.stamp_margin = 0;
  }
  return result;
}

}  // namespace

// Under TSO and PSO stores may be on their way at any time; there all is explained. So is what has time stamps or
// values: they say much about the order of all of it.
bool Search::explains_all() const {
  return options_.explanation.memory != schedule::MemoryModel::kSc || recording_.stamp_margin != 0 ||
         recording_.has_values;
}

bool Search::is_long() const {
  if (explains_all()) return false;
  uint64_t operations = 0;
  for (const uint64_t known : known_operations(known_)) operations += known;
  return operations > kMostToExplain + (beginning_ ? beginning_->operations() : 0);
}

// Each thread its share before its end. One that does less than that may have done it late: it waits as soon as it
// has begun. The first thread makes the others, so it is not kept from that.
std::vector<schedule::Step> Search::places_to_meet() const {
  const std::vector<uint64_t> operations = known_operations(known_);
  const std::vector<schedule::ThreadName> names = schedule::thread_names(known_.frame());
  const uint64_t share = current_try().operations / std::max<uint64_t>(operations.size(), 1);
  std::vector<schedule::Step> result;
  for (uint32_t t = 0; t < operations.size(); ++t) {
    if (!known_.threads()[t].recorded || (t == 0 && operations[t] <= share)) continue;
    schedule::Step step;
    step.thread = names[t];
    step.index = operations[t] > share ? static_cast<uint32_t>(operations[t] - share) : 1;
    result.push_back(std::move(step));
  }
  return result;
}

bool Search::can_try_otherwise() const {
  if (explains_all() || result_.schedule) return false;
  const auto is_asked_for = [&](const record::Thread& thread) {
    return thread.path.size() > kTries[std::size(kTries) - 1].bits;
  };
  return beginning_ || std::any_of(recording_.threads.begin(), recording_.threads.end(), is_asked_for);
}

void Search::begin_try() { end_of_try_ = now() + kShareOfATry * left(); }

void Search::try_otherwise() {
  const uint64_t bits = current_try().bits;
  ++tries_;
  beginning_.reset();
  walked_beginning_.reset();
  begin_try();
  if (current_try().bits == bits) return;
  known_.forget();
  asked_.clear();
  asked_for_ = last_part(recording_, current_try().bits);
}

base::Result<void> Search::begin_later() {
  const uint64_t before = beginning_ ? beginning_->operations() : 0;
  const std::vector<schedule::Step> holds = places_to_meet();
  // From the second round of tries on, threads come there in other orders.
  const uint64_t seed = tries_ / std::size(kTries);
  auto attempt = perform(nullptr, 2 * seed, &holds);
  if (!attempt) return attempt.error();
  take(*attempt);
  if (is_over()) return {};
  KnownPaths of_this_run(asked_for_, switches_);
  of_this_run.learn(attempt->trace);
  auto beginning = beginning_of(attempt->trace, of_this_run, current_try().operations);
  if (!beginning || beginning->operations() <= before) {
    try_otherwise();
    return {};
  }
  beginning_ = std::move(*beginning);
  known_.replace_by(std::move(of_this_run));
  walked_beginning_ = walk_beginning(known_, *beginning_, program_, &deadline_->reached());
  asked_.assign(known_.threads().size(), Asked());
  whole_ = Asked();
  if (!result_.schedule) result_.statistics.fixed_operations = beginning_->operations();
  return {};
}

}  // namespace heddle::reproduce
