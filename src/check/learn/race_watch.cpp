// SPDX-License-Identifier: Apache-2.0
#include "check/learn/race_watch.h"

namespace heddle::check::learn {

RaceWatch::RaceWatch(Model& model, const Machine& machine, const std::vector<uint32_t>& places)
    : model_(model), machine_(machine), accesses_(model, places), orders_(model, accesses_) {
  model.races = this;
}

void RaceWatch::begin() {
  accesses_.forget();
  if (follows_orders_) orders_.begin();
}

bool RaceWatch::needs_another_round() {
  if (follows_orders_) return false;
  for (AccessId id = 1; id < accesses_.size(); ++id)
    if (accesses_.has_open_rival(id, RaceForm::kUnordered)) return follows_orders_ = true;
  return false;
}

// Under SC, whoever discovers a rival in the first round takes the step that shows it.
bool RaceWatch::was_wrong() const {
  const bool counts_on_rivals = follows_orders_ || model_.memory != MemoryModel::kSc;
  return accesses_.has_lost_lock() || (counts_on_rivals && accesses_.has_new_rivals());
}

void RaceWatch::perform(State& state, PointId id, const Edge& edge) {
  const AccessId access = accesses_.of(id, edge.flags & HEDDLE_FLAG_FAILED);
  if (log) log->push_back(access);
  if (access) accesses_.note_locks(access, state);
  if (follows_orders_) orders_.perform(state, id, edge);
}

void RaceWatch::flush(State& state, ThreadId thread, uint32_t place) {
  if (follows_orders_) orders_.flush(state, thread, place);
}

void RaceWatch::drop(State& state, ThreadId thread, uint32_t place) {
  if (follows_orders_) orders_.drop(state, thread, place);
}

bool RaceWatch::is_seen_when_issued(PointId store) {
  const AccessId access = accesses_.of(store, false);
  return !follows_orders_ && access && accesses_.has_open_rival(access, RaceForm::kAtOnce);
}

AccessId RaceWatch::next_access(const State& state, ThreadId thread) const {
  const PointId id = machine_.point_of(state, thread);
  const Point& point = model_.automata[id];
  if (!id || !point.is_known() || point.is_glued) return 0;
  if (!accesses_.of(id, false)) return 0;
  // A compare-exchange that nobody saw with this value is looked at when it is taken once more.
  bool fails = false;
  if (point.kind == HEDDLE_CAS) {
    const Edge* edge =
        point.find(machine_.predict(state, {Move::kOperation, static_cast<uint8_t>(thread), false, 0}).result);
    fails = !edge || (edge->flags & HEDDLE_FLAG_FAILED);
    if (edge && edge->result.way == Way::kFailed) return 0;
  }
  return machine_.is_bad_for_block(state, point) ? 0 : accesses_.of(id, fails);
}

void RaceWatch::look(const State& state, const Step& step, const std::vector<Step>& path) {
  orders_.raced().clear();  // others may have followed executions meanwhile
  if (follows_orders_ || step.move != Move::kOperation || state[Layout::kAtomic]) return;
  const AccessId usual = accesses_.of(machine_.point_of(state, step.thread), false);
  if (!usual || accesses_.rivals(usual).empty()) return;
  const AccessId own = next_access(state, step.thread);
  if (!own || !accesses_.has_open_rival(own, RaceForm::kAtOnce)) return;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    if (thread == step.thread) continue;
    const AccessId other = next_access(state, thread);
    if (!other || !accesses_.is_open(own, other, RaceForm::kAtOnce)) continue;
    scratch_.clear();
    machine_.operations_of(state, thread, scratch_);
    if (scratch_.size() != 1 || scratch_[0].move != Move::kOperation) continue;
    accesses_.add_race(own, other, RaceForm::kAtOnce);
    FoundRace race = {own, other, RaceForm::kAtOnce, path};
    race.path.push_back(step);
    race.path.push_back(scratch_[0]);
    // If only the one is a write, because it is a compare-exchange that succeeds, it goes first.
    if (accesses_[other].writes && !accesses_[own].writes) std::swap(race.path.back(), race.path[race.path.size() - 2]);
    found_.push_back(std::move(race));
  }
}

void RaceWatch::note_raced(const std::vector<Step>& path) {
  if (!follows_orders_) return;
  for (const auto& [first, second] : orders_.raced()) {
    if (!accesses_.is_open(first, second, RaceForm::kUnordered)) continue;
    accesses_.add_race(first, second, RaceForm::kUnordered);
    found_.push_back({first, second, RaceForm::kUnordered, path});
  }
  orders_.raced().clear();
}

std::optional<FoundRace> RaceWatch::take_found() {
  if (found_.empty()) return std::nullopt;
  FoundRace race = std::move(found_.front());
  found_.erase(found_.begin());
  return race;
}

}  // namespace heddle::check::learn
