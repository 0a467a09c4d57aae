// SPDX-License-Identifier: Apache-2.0
#include "reproduce/retracing.h"

#include <algorithm>
#include <cstdio>

#include "base/cpu_time.h"
#include "record/recording.h"

namespace heddle::reproduce {

using solve::Event;

namespace {

constexpr size_t kBetweenSnapshots = 512;
constexpr size_t kMostWaitingStores = 16;  // of a thread
constexpr uint64_t kEarly = 500;  // ticks
constexpr size_t kMostSuspects = 12;  // reads of a thread that may have found the recorded byte by chance

// Controlled runs have other addresses than the recorded one had.
bool may_be_address(const FailingRun& run, uint64_t value, uint32_t size) {
  if (size != 8) return false;
  if (value >> 32 != 0 && value >> 47 == 0) return true;
  auto after = std::upper_bound(run.objects.begin(), run.objects.end(), std::pair(value, ~uint64_t{0}));
  return after != run.objects.begin() && value - std::prev(after)->first <= std::prev(after)->second;
}

// Nobody else can tell when it happens, or it is best for all that it happens at once.
bool hurts_nobody(uint8_t kind) {
  switch (kind) {
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END:
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_ALLOC:
    case HEDDLE_FREE:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_FENCE:
    case HEDDLE_BARRIER_LEAVE: return true;
    default: return false;
  }
}

}  // namespace

Retracing::Retracing(const System& system)
    : system_(system), run_(system.run()), before_(system.closure().events()), happened_(system.closure().events(), false) {
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
  const auto found = learned_.find(store);
  return found == learned_.end() || std::all_of(found->second.begin(), found->second.end(), [&](OperationId read) { return machine_->position(read.thread) > read.index; });
}

bool Retracing::finds_recorded(uint32_t thread) const {
  const Operation& operation = next(thread);
  if (!reads_memory(operation) || !operation.check) return true;
  const uint64_t found = machine_->would_read(thread);
  if (by_chance_.contains({OperationId{thread, machine_->position(thread)}, found})) return false;
  return record::check_of(found) == *operation.check || may_be_address(run_, found, operation.size);
}

bool Retracing::can_go_on(uint32_t thread) const {
  return !machine_->has_ended(thread) && machine_->can_step(thread) && is_ready(system_.event({thread, machine_->position(thread)})) && finds_recorded(thread) && machine_->fits(thread);
}

bool Retracing::is_eager(uint32_t thread) const {
  if (machine_->has_ended(thread)) return false;
  return hurts_nobody(next(thread).kind);
}

uint64_t Retracing::time_of(OperationId id) const {
  if (!run_.about.empty() && id.index < run_.about[id.thread].size()) return run_.about[id.thread][id.index];
  return uint64_t{id.index} << 32 / run_.threads[id.thread].operations.size();
}

std::optional<Retracing::Choice> Retracing::choose() const {
  std::optional<Choice> best;
  const auto offer = [&](const Choice& choice) {
    if (!best || choice < *best) best = choice;
  };
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    if (machine_->has_stores(t)) {
      const OperationId store = {t, machine_->oldest_store(t)};
      if (is_ready(system_.in_memory(store)) && may_store(store)) offer({time_of(store), t, true});
    }
    const OperationId id = {t, machine_->position(t)};
    if (machine_->has_ended(t) || (system_.is_buffered(id) && machine_->stores(t) >= kMostWaitingStores)) continue;
    // What nobody else notices may come a little early.
    const uint64_t time = time_of(id), early = next(t).kind == HEDDLE_LOAD || system_.is_buffered(id) ? std::min(time, kEarly) : 0;
    if (best && best->time < time - early) continue;
    if ((system_.is_buffered(id) || may_store(id)) && can_go_on(t)) offer({time - early, t, false});
  }
  return best;
}

// What a step is about to overwrite.
void Retracing::remember(const OrderStep& step) {
  const Operation& operation = run_.at(step.operation);
  if (!writes_memory(operation) || (!step.is_flush && system_.is_buffered(step.operation))) return;
  const uint64_t address = machine_->value(operation.address);
  overwritten_[address].push_back({order_.size(), step.operation, operation.size, machine_->in_memory(address, operation.size)});
}

void Retracing::perform(OperationId id, bool is_flush) {
  if (order_.size() % kBetweenSnapshots == 0 && (snapshots_.empty() || snapshots_.back().step < order_.size())) snapshots_.push_back({order_.size(), *machine_});
  remember({id, is_flush});
  if (is_flush) {
    machine_->flush(id.thread, id.index);
    happened_[system_.in_memory(id)] = true;
  } else {
    machine_->step(id.thread);
    happened_[system_.event(id)] = true;
  }
  order_.push_back({id, is_flush});
}

void Retracing::go_back(size_t step) {
  if (suspect_) suspect_->lowest = std::min(suspect_->lowest, step);
  while (snapshots_.back().step > step) snapshots_.pop_back();
  machine_.emplace(snapshots_.back().machine);
  for (auto& [address, versions] : overwritten_)
    while (!versions.empty() && versions.back().step >= step) versions.pop_back();
  for (size_t i = step; i < order_.size(); ++i) happened_[order_[i].is_flush ? system_.in_memory(order_[i].operation) : system_.event(order_[i].operation)] = false;
  order_.resize(step);
  for (size_t i = snapshots_.back().step; i < step; ++i) {
    const OperationId id = order_[i].operation;
    if (order_[i].is_flush) machine_->flush(id.thread, id.index);
    else machine_->step(id.thread);
  }
}

bool Retracing::is_done() const {
  if (run_.failing_thread != kNobody) return machine_->has_failed();
  for (uint32_t t = 0; t < run_.threads.size(); ++t)
    if (!machine_->has_ended(t)) return false;
  return true;
}

// As far as it goes.
void Retracing::advance() {
  while (!is_done()) {
    bool moved = false;
    for (uint32_t t = 0; t < run_.threads.size(); ++t) {
      while (is_eager(t) && can_go_on(t) && !is_done()) {
        perform({t, machine_->position(t)}, false);
        moved = true;
      }
    }
    if (moved) continue;
    const std::optional<Choice> choice = choose();
    if (!choice) return;
    perform({choice->thread, choice->is_flush ? machine_->oldest_store(choice->thread) : machine_->position(choice->thread)}, choice->is_flush);
  }
}

bool Retracing::is_stuck(uint32_t thread) const {
  if (machine_->has_ended(thread)) return false;
  const Operation& operation = next(thread);
  return reads_memory(operation) && operation.check && machine_->can_step(thread) && is_ready(system_.event({thread, machine_->position(thread)})) && !finds_recorded(thread);
}

bool Retracing::repair() {
  const Overwritten* culprit = nullptr;
  OperationId reader = {};
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    if (!is_stuck(t)) continue;
    const OperationId id = {t, machine_->position(t)};
    const Operation& operation = next(t);
    const auto versions = overwritten_.find(machine_->next_address(t));
    if (versions == overwritten_.end()) continue;
    for (auto version = versions->second.rbegin(); version != versions->second.rend(); ++version) {
      if (version->store.thread == t || version->size != operation.size || system_.closure().before(system_.in_memory(version->store), system_.event(id))) break;
      if (record::check_of(version->value) != *operation.check) continue;
      if (!culprit || version->step > culprit->step) {
        culprit = &*version;
        reader = id;
      }
      break;
    }
  }
  if (getenv("RT")) {
    fprintf(stderr, "stuck at %zu:", order_.size());
    for (uint32_t t = 0; t < run_.threads.size(); ++t) {
      if (machine_->has_ended(t)) { fprintf(stderr, " [%u end]", t); continue; }
      const OperationId id = {t, machine_->position(t)};
      fprintf(stderr, " [%u %u kind %d can %d ready %d finds %d fits %d may %d stores %zu]", t, id.index, next(t).kind, machine_->can_step(t), is_ready(system_.event(id)), machine_->can_step(t) ? finds_recorded(t) : -1, machine_->can_step(t) ? machine_->fits(t) : -1, may_store(id), machine_->stores(t));
    }
    if (culprit) fprintf(stderr, " -> %u.%u before %u.%u back %zu\n", reader.thread, reader.index, culprit->store.thread, culprit->store.index, order_.size() - culprit->step);
    else fprintf(stderr, " -> nothing\n");
  }
  ++repairs_;
  if (!culprit) return suspect();
  learned_[culprit->store].push_back(reader);
  go_back(culprit->step);
  return true;
}

// Nobody can go on, and no order of what is known explains why: some read found the recorded byte by chance.
bool Retracing::suspect() {
  if (suspect_) {
    const Suspect tried = *suspect_;
    suspect_.reset();
    if (machine_->position(tried.read.thread) <= tried.stuck) {
      by_chance_.erase({tried.read, tried.value});
      cleared_.insert({tried.read, tried.value});
      go_back(tried.lowest);
      return true;
    }
  }
  std::optional<Suspect> best;
  size_t latest = 0;
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    if (!is_stuck(t)) continue;
    size_t seen = 0;
    for (size_t step = order_.size(); step-- > 0 && seen < kMostSuspects;) {
      const OperationId id = order_[step].operation;
      if (id.thread != t || order_[step].is_flush || !reads_memory(run_.at(id)) || !run_.at(id).check) continue;
      ++seen;
      const uint64_t value = machine_->value(run_.at(id).read);
      if (cleared_.contains({id, value})) continue;
      if (!best || seen < latest) {
        latest = seen;
        best = Suspect{id, value, machine_->position(t), step};
      }
      break;
    }
  }
  if (!best) return false;
  suspect_ = best;
  by_chance_.insert({best->read, best->value});
  if (getenv("RT")) fprintf(stderr, "suspect %u.%u\n", best->read.thread, best->read.index);
  go_back(best->lowest);
  return true;
}

bool Retracing::run(double seconds, const std::atomic<bool>* stop) {
  const double end = base::thread_cpu_seconds() + seconds;
  machine_.emplace(run_, system_.model(), false);
  while (true) {
    advance();
    if (is_done() && machine_->broken().empty()) return true;
    if (base::thread_cpu_seconds() > end || (stop && stop->load(std::memory_order_relaxed)) || !repair()) return false;
  }
}

}  // namespace heddle::reproduce
