// SPDX-License-Identifier: Apache-2.0
//
// Long runs: a run in which the threads wait for each other near the ends of what is known of
// them, so that what comes before needs no explanation.
#include "reproduce/search.h"

#include "schedule/from_trace.h"

namespace heddle::reproduce {
namespace {

constexpr uint64_t kMostToExplain = 4000;  // operations: exploration and solver come to an end

}  // namespace

// Under TSO and PSO stores may be on their way at any time; there all is explained.
bool Search::is_long() const {
  if (options_.explanation.memory != schedule::MemoryModel::kSc) return false;
  uint64_t operations = 0;
  for (const uint64_t known : known_operations(known_)) operations += known;
  return operations > kMostToExplain + (beginning_ ? beginning_->operations() : 0);
}

// Each thread its share before its end. One that does less than that may have done it late: it waits as soon as it
// has begun. The first thread makes the others, so it is not kept from that.
std::vector<schedule::Step> Search::places_to_meet() const {
  const std::vector<uint64_t> operations = known_operations(known_);
  const std::vector<schedule::ThreadName> names = schedule::thread_names(known_.frame());
  const uint64_t share = operations_to_explain() / std::max<uint64_t>(operations.size(), 1);
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

void Search::start_anew() {
  beginning_.reset();
  ++attempts_to_begin_later_;
}

base::Result<void> Search::begin_later() {
  const std::vector<schedule::Step> holds = places_to_meet();
  // From the second round on, others run first on the way there.
  const uint64_t seed = attempts_to_begin_later_ / std::size(kToExplain);
  auto attempt = perform(nullptr, 2 * seed, &holds);
  if (!attempt) return attempt.error();
  take(*attempt);
  if (is_over()) return {};
  KnownPaths of_this_run(recording_, switches_);
  of_this_run.learn(attempt->trace);
  auto beginning = beginning_of(attempt->trace, of_this_run, operations_to_explain());
  if (!beginning) {
    ++attempts_to_begin_later_;
    return {};
  }
  beginning_ = std::move(*beginning);
  known_.forget();
  known_.learn(attempt->trace);
  asked_.assign(known_.threads().size(), Asked());
  whole_ = Asked();
  if (!result_.schedule) result_.statistics.fixed_operations = beginning_->operations();
  return {};
}

}  // namespace heddle::reproduce
