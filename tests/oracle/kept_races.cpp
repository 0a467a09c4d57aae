// SPDX-License-Identifier: Apache-2.0
#include "oracle/kept_races.h"

#include <map>
#include <tuple>

#include "oracle/race_search.h"
#include "oracle/random_numbers.h"

namespace heddle::oracle {
namespace {

// Steps of the given run, and what was learned in them.
class Given {
 public:
  explicit Given(const RandomRun& run) {
    for (const RunStep& step : run) lessons_[key(step.transition)] = lesson(step.transition);
  }
  bool has(const Transition& transition) const { return lessons_.count(key(transition)) > 0; }
  bool agrees(const Transition& transition) const {
    const auto found = lessons_.find(key(transition));
    return found != lessons_.end() && found->second == lesson(transition);
  }
  bool has_same_success(const Transition& transition) const {
    const auto found = lessons_.find(key(transition));
    return found != lessons_.end() && std::get<2>(found->second) == transition.success;
  }

 private:
  using Lesson = std::tuple<bool, uint64_t, bool>;
  static std::pair<int, int> key(const Transition& transition) {
    return {transition.operation->number, static_cast<int>(transition.kind)};
  }
  static Lesson lesson(const Transition& transition) {
    return {transition.learns, transition.learns ? transition.learned : 0, transition.success};
  }
  std::map<std::pair<int, int>, Lesson> lessons_;
};

// Only what the given run has part of can be asked of it; runs in which a thread learns
// something else end there.
class KeptRaceSearch : public RaceSearch {
 public:
  KeptRaceSearch(const Program& program, const RandomRun& run, const Limits& limits)
      : RaceSearch(program, MemoryModel::kSc, limits, Ordering(true)), given_(run) {}

 protected:
  bool has(const Transition& transition) const override { return given_.has(transition); }
  bool goes_on(const Transition& transition) const override { return given_.agrees(transition); }
  // In the given run too: a compare-exchange may end differently as the last step.
  bool wrote(const Transition& transition) const override {
    return RaceSearch::wrote(transition) && given_.has_same_success(transition);
  }
  bool shortens() const override { return false; }  // it might be one that runs do not go on after
  void note_next(Races& races, const Pair& pair) const override {
    races.enabled_at_once.insert(pair);
    races.racing.insert(pair);
  }

 private:
  const Given given_;
};

}  // namespace

RandomRun random_run(const Program& program, uint64_t seed) {
  const Machine machine(program, MemoryModel::kSc);
  RandomNumbers random(seed);
  RandomRun run;
  State state = machine.initial();
  std::vector<Successor> successors;
  for (machine.successors(state, successors); !successors.empty(); machine.successors(state, successors)) {
    const Successor& next = successors[static_cast<size_t>(random.below(static_cast<int>(successors.size())))];
    if (next.state.failed >= 0) break;
    run.push_back({next.transition, state, next.state});
    state = next.state;
  }
  return run;
}

Races find_kept_races(const Program& program, const RandomRun& run, const Limits& limits) {
  return KeptRaceSearch(program, run, limits).run();
}

}  // namespace heddle::oracle
