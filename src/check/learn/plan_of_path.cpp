// SPDX-License-Identifier: Apache-2.0
#include "check/learn/plan_of_path.h"

namespace heddle::check::learn {

using property::PlannedStep;
using schedule::StepKind;

namespace {

class Planner {
 public:
  Planner(const Model& model, const Machine& machine)
      : model_(model), machine_(machine), state_(machine.initial()), threads_(model.thread_slots.size()) {}

  void add(const Step& step) {
    Progress& own = threads_[step.thread];
    if (step.move == Move::kFlush) {
      plan_.push_back({StepKind::kFlush, {step.thread, own.stores[step.choice].index}, 0, 0});
      own.stores.erase(own.stores.begin() + step.choice);
      return;
    }
    const PointId id = machine_.point_of(state_, step.thread);
    const Point& point = model_.automata[id];
    PlannedStep planned = {StepKind::kOp, {step.thread, own.index}, point.kind == HEDDLE_FAIL ? 0 : point.site, 0};
    if (step.move == Move::kTimeout) planned.kind = StepKind::kTimeout;
    if (point.kind == HEDDLE_NONDET && point.standing == Standing::kPerformed) {
      planned.kind = StepKind::kNondet;
      planned.value = static_cast<int64_t>(point.address + step.choice);
    }
    plan_.push_back(planned);
    const bool wakes = point.kind == HEDDLE_COND_SIGNAL || point.kind == HEDDLE_NOTIFY;
    if (wakes && step.choice)
      plan_.push_back({StepKind::kWake, {step.choice - 1, threads_[step.choice - 1].index}, 0, 0});
    if (point.kind == HEDDLE_STORE && model_.memory != MemoryModel::kSc &&
        heddle_is_buffered(point.kind, point.order, point.flags))
      own.stores.push_back({id, own.index});
  }

  void apply(const Step& step) {
    machine_.apply(state_, step, &threads_[step.thread].index);
    if (model_.memory == MemoryModel::kSc) return;
    for (ThreadId thread = 0; thread < threads_.size(); ++thread) drop(thread);
  }

  const State& state() const { return state_; }
  uint32_t index(ThreadId thread) const { return threads_[thread].index; }  // of its next operation
  std::vector<PlannedStep> take() { return std::move(plan_); }

 private:
  struct Store {
    PointId point;
    uint32_t index;
  };
  struct Progress {
    uint32_t index = 0;  // of the next operation
    std::vector<Store> stores;
  };

  // Stores to locals that died have left the buffer.
  void drop(ThreadId thread) {
    if (!model_.buffer_slots[thread]) return;
    const StoreBuffers::Content& content = model_.buffers.content(machine_.buffer_of(state_, thread));
    size_t at = 0;
    std::erase_if(threads_[thread].stores, [&](const Store& store) {
      if (at < content.size() && StoreBuffers::point(content[at]) == store.point) return ++at, false;
      return true;
    });
  }

  const Model& model_;
  const Machine& machine_;
  State state_;
  std::vector<Progress> threads_;
  std::vector<PlannedStep> plan_;
};

}  // namespace

std::vector<PlannedStep> plan_of_path(const Model& model, const Machine& machine, const std::vector<Step>& path,
                                      bool last_is_missing) {
  Planner planner(model, machine);
  for (size_t i = 0; i < path.size(); ++i) {
    if (last_is_missing && i + 1 == path.size() && path[i].move != Move::kFlush) {
      const Point& point = machine.at(planner.state(), path[i].thread);
      const bool may_block = point.is_of_lock() && !machine.predict(planner.state(), path[i]).is_certain;
      if (point.standing == Standing::kUnknown || may_block) break;
    }
    planner.add(path[i]);
    planner.apply(path[i]);
  }
  return planner.take();
}

property::Race plan_of_race(const Model& model, const Machine& machine, const FoundRace& found) {
  Planner planner(model, machine);
  property::Race race;
  race.enabled_at_once = found.form == RaceForm::kAtOnce;
  std::vector<AccessId> accesses;
  model.races->log = &accesses;
  for (size_t i = 0; i < found.path.size(); ++i) {
    const ThreadId thread = found.path[i].thread;
    const causal::EventId next = {thread, planner.index(thread)};
    // What the two that are next at once come to need not be known.
    const bool is_one_of_two = race.enabled_at_once && i + 2 >= found.path.size();
    planner.add(found.path[i]);
    if (is_one_of_two) (i + 2 == found.path.size() ? race.first : race.second) = next;
    accesses.clear();
    planner.apply(found.path[i]);
    if (race.enabled_at_once) continue;
    for (uint32_t done = 0; done < accesses.size(); ++done) {
      if (accesses[done] == found.first) race.first = {thread, next.index + done};
      if (accesses[done] == found.second) race.second = {thread, next.index + done};
    }
  }
  model.races->log = nullptr;
  if (race.second < race.first) std::swap(race.first, race.second);
  race.plan = planner.take();
  return race;
}

}  // namespace heddle::check::learn
