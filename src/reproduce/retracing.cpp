// SPDX-License-Identifier: Apache-2.0
#include "reproduce/retracing.h"

#include <algorithm>

#include "record/recording.h"

namespace heddle::reproduce {

using solve::Event;

namespace {

constexpr size_t kBetweenSnapshots = 256;

// Controlled runs have other addresses than the recorded one had.
bool may_be_address(const FailingRun& run, uint64_t value, uint32_t size) {
  if (size != 8) return false;
  if (value >> 32 != 0 && value >> 47 == 0) return true;
  const auto after = std::upper_bound(run.objects.begin(), run.objects.end(), std::pair(value, ~uint64_t{0}));
  return after != run.objects.begin() && value - std::prev(after)->first <= std::prev(after)->second;
}

// Nobody else can do less when it has happened.
bool disturbs_nobody(const Operation& operation) {
  return is_private(operation) || semantics::effect_of(operation.kind) == HEDDLE_EFFECT_DEPART;
}

}  // namespace

Retracing::Retracing(const System& system)
    : system_(system),
      run_(system.run()),
      before_(system.closure().events()),
      happened_(system.closure().events(), false) {
  for (const solve::Edge& edge : system.closure().edges())
    if (system.operation(edge.before).thread != system.operation(edge.after).thread || system.is_flush(edge.before))
      before_[edge.after].push_back(edge.before);
}

bool Retracing::can_retrace(const System& system) {
  if (system.model() == schedule::MemoryModel::kPso) return false;
  for (const Thread& thread : system.run().threads)
    for (const Operation& operation : thread.operations)
      if (operation.check) return true;
  return false;
}

bool Retracing::is_ready(Event event) const {
  return std::all_of(before_[event].begin(), before_[event].end(), [&](Event other) { return happened_[other]; });
}

bool Retracing::may_store(OperationId store) const {
  const auto found = held_back_.find(store);
  return found == held_back_.end() ||
         std::all_of(found->second.begin(), found->second.end(), [&](Event first) { return happened_[first]; });
}

bool Retracing::matches(const Operation& read, uint64_t value) const {
  return !read.check || record::check_of(value) == *read.check || excused_.contains(read.site) ||
         may_be_address(run_, value, read.size);
}

bool Retracing::can_go_on(uint32_t thread) const {
  const OperationId id = {thread, machine_->position(thread)};
  const Operation& operation = next(thread);
  if (!is_ready(system_.event(id)) || !machine_->can_step(thread)) return false;
  if (reads_memory(operation) && !matches(operation, machine_->would_read(thread))) return false;
  return machine_->fits(thread);
}

// Its next operation is best performed as soon as it can be.
bool Retracing::is_eager(uint32_t thread) const {
  if (machine_->has_ended(thread)) return false;
  if (system_.is_buffered({thread, machine_->position(thread)}))
    return machine_->stores(thread) < Machine::kMostWaitingStores;
  const Operation& operation = next(thread);
  return operation.kind == HEDDLE_LOAD ? operation.check && !excused_.contains(operation.site)
                                       : disturbs_nobody(operation);
}

uint64_t Retracing::time_of(OperationId id) const {
  if (!run_.about.empty() && id.index < run_.about[id.thread].size()) return run_.about[id.thread][id.index];
  return (uint64_t{id.index} << 24) / run_.threads[id.thread].operations.size();
}

std::optional<Retracing::Choice> Retracing::choose() const {
  std::optional<Choice> best;
  const auto is_better = [&](const Choice& choice) { return !best || choice < *best; };
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    if (machine_->has_stores(t)) {
      const OperationId store = {t, machine_->oldest_store(t)};
      const Choice choice = {time_of(store), t, true};
      if (is_better(choice) && is_ready(system_.in_memory(store)) && may_store(store)) best = choice;
    }
    const OperationId id = {t, machine_->position(t)};
    if (machine_->has_ended(t) || system_.is_buffered(id)) continue;
    const Choice choice = {time_of(id), t, false};
    if (is_better(choice) && may_store(id) && can_go_on(t)) best = choice;
  }
  return best;
}

void Retracing::perform(OperationId id, bool is_flush) {
  if (order_.size() % kBetweenSnapshots == 0 && (snapshots_.empty() || snapshots_.back().step < order_.size()))
    snapshots_.push_back({order_.size(), *machine_});
  const Operation& operation = run_.at(id);
  Step step;
  if (is_flush || reads_memory(operation) || writes_memory(operation)) {
    step.address = machine_->value(operation.address);
    step.changes_memory = writes_memory(operation) && (is_flush || !system_.is_buffered(id));
    if (step.changes_memory)
      overwritten_[step.address].push_back(
          {order_.size(), id, operation.size, machine_->in_memory(step.address, operation.size)});
  }
  if (is_flush) {
    machine_->flush(id.thread, id.index);
  } else {
    machine_->step(id.thread);
  }
  happened_[is_flush ? system_.in_memory(id) : system_.event(id)] = true;
  order_.push_back({id, is_flush});
  steps_.push_back(step);
}

void Retracing::go_back(size_t step) {
  for (Decision& decision : decisions_) decision.lowest = std::min(decision.lowest, step);
  while (order_.size() > step) {
    if (steps_.back().changes_memory) overwritten_[steps_.back().address].pop_back();
    const OrderStep& last = order_.back();
    happened_[last.is_flush ? system_.in_memory(last.operation) : system_.event(last.operation)] = false;
    order_.pop_back();
    steps_.pop_back();
  }
  while (snapshots_.back().step > step) snapshots_.pop_back();
  machine_.emplace(snapshots_.back().machine);
  for (size_t i = snapshots_.back().step; i < step; ++i) {
    if (order_[i].is_flush) {
      machine_->flush(order_[i].operation.thread, order_[i].operation.index);
    } else {
      machine_->step(order_[i].operation.thread);
    }
  }
}

bool Retracing::is_done() const {
  if (run_.failing_thread != kNobody) return machine_->has_failed();
  for (uint32_t t = 0; t < run_.threads.size(); ++t)
    if (!machine_->has_ended(t)) return false;
  return true;
}

void Retracing::advance(base::Patience& patience) {
  while (!is_done() && !patience.is_over()) {
    bool moved = false;
    for (uint32_t t = 0; t < run_.threads.size(); ++t) {
      while (is_eager(t) && can_go_on(t) && !is_done() && !patience.is_over()) {
        perform({t, machine_->position(t)}, false);
        moved = true;
      }
    }
    if (moved) continue;
    const std::optional<Choice> choice = choose();
    if (!choice) return;
    perform({choice->thread,
             choice->is_flush ? machine_->oldest_store(choice->thread) : machine_->position(choice->thread)},
            choice->is_flush);
  }
}

bool Retracing::run(base::Patience& patience) {
  machine_.emplace(run_, system_.model(), false);
  while (true) {
    advance(patience);
    if (is_done()) return machine_->broken().empty();
    if (patience.is_over() || !repair()) return false;
  }
}

}  // namespace heddle::reproduce
