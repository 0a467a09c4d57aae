// SPDX-License-Identifier: Apache-2.0
//
// Data races that the operations of an execution have in some order. Two
// accesses race if they conflict and, in some feasible order, neither happens
// before the other. The stronger form: both are what their threads do next.
//
// Enabled at once is a question about cuts: what both threads did before, and
// what that needs, without the two accesses themselves. If such a cut has an
// order, it leads to the race. A race of the weaker form needs an order of a cut
// that contains both (unordered.h). What the last of the two reads does not
// matter, for nothing follows it.
//
// An exploration has, for every feasible partial execution, an execution that
// contains its operations with the same results. So it is enough to ask about
// pairs of each execution. What was asked of a cut before is not asked again,
// whatever execution it is part of: whether a cut has an order depends on its
// operations only, and those follow from what its threads had learned.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "causal/needs.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"
#include "property/deadlocks.h"
#include "property/happens_before.h"
#include "property/plan.h"

namespace heddle::property {

struct Race {
  causal::EventId first, second;
  bool enabled_at_once = false;
  std::vector<PlannedStep> plan;  // performs both
};

class RaceFinder {
 public:
  // `places`: by site, the number of its place in the source. Races of the same
  // two places are one. `most_steps`: of the search for cuts, for each question.
  RaceFinder(schedule::MemoryModel model, std::vector<uint32_t> places, AskSolver ask,
             RacyReads racy_reads = RacyReads::kOrderNothing, size_t most_steps = CutClosure::kMostSteps);

  // Calls `found` for each race that is new: never found before, or never as
  // enabled at once. It returns false if no more are wanted.
  void find(const causal::Dependences& dependences, const std::function<bool(const Race&)>& found);

  // The same for these conflicting pairs only, in their order.
  using Pairs = std::vector<std::pair<causal::EventId, causal::EventId>>;
  void find_among(const causal::Dependences& dependences, const Pairs& pairs,
                  const std::function<bool(const Race&)>& found);
  // Could this pair still be a race that is new?
  bool is_open(const HeddleRecord& one, const HeddleRecord& other) { return known(one, other) != Known::kAtOnce; }
  // Was it found, in whatever form?
  bool is_known(const HeddleRecord& one, const HeddleRecord& other) { return known(one, other) != Known::kNothing; }
  // The race was none after all: it may be found again, from another pair.
  void take_back(const HeddleRecord& one, const HeddleRecord& other) { known(one, other) = Known::kNothing; }
  // Executions from now on are not parts of the same program's executions as those before.
  void forget_questions() { asked_.clear(); }

  // False: something was too large to be answered.
  bool is_complete() const { return is_complete_; }

  // What it remembers, as bytes and back.
  void save(base::ByteWriter& out) const;
  void restore(base::ByteReader& in);

 private:
  enum class Known : uint8_t { kNothing, kRace, kAtOnce };
  struct KeyHash {
    size_t operator()(const std::vector<uint32_t>& key) const;
  };
  struct Questions;  // about one execution

  bool look_at(Questions& questions, causal::EventId one, causal::EventId other,
               const std::function<bool(const Race&)>& found);
  Known& known(const HeddleRecord& one, const HeddleRecord& other);
  bool is_asked(const Questions& questions, const causal::Cut& cut, std::span<const uint32_t> what);
  bool find_at_once(Questions& questions, causal::EventId one, causal::EventId other, Race& race);
  bool find_unordered(Questions& questions, causal::EventId one, causal::EventId last, Race& race);

  bool find_unordered_within(Questions& questions, const causal::Cut& required, const causal::Cut& limits,
                             causal::EventId one, causal::EventId last, bool is_free, Race& race);

  const schedule::MemoryModel model_;
  const std::vector<uint32_t> places_;
  const AskSolver ask_;
  const RacyReads racy_reads_;
  const size_t most_steps_;
  std::map<std::pair<uint32_t, uint32_t>, Known> known_;  // by places, the lower first
  std::unordered_set<std::vector<uint32_t>, KeyHash> asked_;
  bool is_complete_ = true;
};

}  // namespace heddle::property
