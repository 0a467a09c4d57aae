// SPDX-License-Identifier: Apache-2.0
#include "check/learn/ends.h"

#include <algorithm>

namespace heddle::check::learn {

EndKind Ends::classify(const State& state, ThreadId last) const {
  bool all_ended = true, is_cut_short = state[Layout::kEnded] != 0;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const PointId id = machine_.point_of(state, thread);
    if (!id) continue;
    const Point& point = model_.automata[id];
    const bool not_begun = model_.automata.is_root(id);
    switch (point.standing) {
      case Standing::kEnded: break;
      case Standing::kFailed:
        is_cut_short = true;
        all_ended &= thread == last;
        break;
      case Standing::kStuck:
        is_cut_short = true;
        all_ended = false;
        break;
      default:
        is_cut_short |= point.kind == HEDDLE_ASSUME;
        all_ended &= not_begun && state[Layout::kEnded];
        break;
    }
  }
  return all_ended ? EndKind::kComplete : is_cut_short ? EndKind::kCutShort : EndKind::kStuck;
}

void Ends::add_complete(const State& state) {
  if (!model_.has_merged) {
    scratch_.resize(model_.thread_slots.size());
    for (ThreadId thread = 0; thread < scratch_.size(); ++thread) {
      const PointId id = machine_.point_of(state, thread);
      scratch_[thread] = model_.automata.is_root(id) ? 0 : id;  // 0: it has not begun
    }
    histories_.add(scratch_);
  }
  if (model_.names.empty() && !observed_.empty()) return;
  scratch_.clear();
  for (uint32_t name = 1; name <= model_.names.size(); ++name) {
    const auto slot = model_.layout.find(Space::kObservation, name);
    if (slot && *slot < state.size() && state[*slot]) scratch_.push_back(state[*slot]);
  }
  if (known_observed_.add(scratch_).second) observed_.push_back(scratch_);
}

bool Ends::add_stuck(const State& state) {
  std::vector<uint32_t> sites;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const PointId id = machine_.point_of(state, thread);
    if (id && model_.automata[id].is_known()) sites.push_back(model_.automata[id].site);
  }
  std::sort(sites.begin(), sites.end());
  return stuck_.insert(std::move(sites)).second;
}

std::set<Outcome> Ends::outcomes() const {
  std::set<Outcome> all;
  for (const Row& seen : observed_) {
    Outcome outcome;
    for (const uint32_t number : seen) {
      const Observation& observation = model_.observations[number - 1];
      outcome[model_.names[observation.name]] = static_cast<int64_t>(observation.value);
    }
    all.insert(std::move(outcome));
  }
  return all;
}

void Ends::clear() {
  histories_.clear();
  known_observed_.clear();
  observed_.clear();
}

}  // namespace heddle::check::learn
