// SPDX-License-Identifier: Apache-2.0
#include "property/cut_problem.h"

#include <algorithm>
#include <iterator>

namespace heddle::property {

using causal::Alternative;
using causal::Cut;
using causal::EventId;
using causal::MemoryModel;
using causal::ThreadId;
using solve::Event;
using solve::kNoEvent;

CutProblem::CutProblem(const causal::Dependences& dependences, MemoryModel model)
    : model_(model), own_places_(std::make_unique<const ObservedPlaces>(dependences.execution(), model)) {
  look_at(dependences, *own_places_);
}

void CutProblem::look_at(const causal::Dependences& dependences, const ObservedPlaces& places) {
  dependences_ = &dependences;
  execution_ = &dependences.execution();
  places_ = &places;
}

const HeddleRecord& CutProblem::operation(EventId event) const {
  if (alternative_ && alternative_->event == event) return alternative_->operation;
  return execution_->operation(event);
}

Event CutProblem::new_event(EventId event) {
  operations_.push_back(event);
  return problem_.events++;
}

void CutProblem::edge(Event before, Event after) {
  if (before != kNoEvent && after != kNoEvent && before != after) problem_.edges.push_back({before, after});
}

solve::Read CutProblem::new_read() {
  solve::Read read;
  if (used_reads_.empty()) return read;
  std::swap(read.sources, used_reads_.back().sources);
  std::swap(read.others, used_reads_.back().others);
  used_reads_.pop_back();
  read.sources.clear();
  read.others.clear();
  return read;
}

bool CutProblem::build(const Cut& cut, const Alternative* alternative, std::span<const ThreadId> asleep,
                       std::span<const EventId> last_looks) {
  cut_ = &cut;
  asleep_ = asleep;
  alternative_ = alternative;
  possible_ = true;
  problem_.events = problem_.choices = 0;
  problem_.edges.clear();
  used_reads_.insert(used_reads_.end(), std::make_move_iterator(problem_.reads.begin()),
                     std::make_move_iterator(problem_.reads.end()));
  problem_.reads.clear();
  problem_.locks.clear();
  problem_.clauses.clear();
  problem_.hint.clear();
  operations_.clear();
  events_.resize(cut.size());
  last_events_.resize(cut.size());
  for (ThreadId t = 0; t < cut.size(); ++t) add_thread(t);
  add_creation_and_end();
  if (!possible_) return false;
  add_reads();
  add_lifetimes();
  add_locks();
  add_failed_attempts();
  add_atomic_sections();
  add_waits();
  add_semaphores();
  add_barriers();
  add_initialisations();
  add_last_looks(last_looks);
  add_hint();
  return possible_;
}

// Events of one thread and the order within it. Buffered stores follow the last
// operation before them, and each other as the memory model says; what drains
// the buffer follows them all.
void CutProblem::add_thread(ThreadId thread) {
  struct Buffered {
    Event event;
    uint64_t address, end;
    uint32_t epoch;
  };
  static thread_local std::vector<Buffered> buffer;
  buffer.clear();
  std::vector<Event>& events = events_[thread];
  events.assign((*cut_)[thread], kNoEvent);
  Event last = kNoEvent;
  uint32_t epoch = 0;  // of store-store markers
  for (uint32_t i = 0; i < (*cut_)[thread]; ++i) {
    const HeddleRecord& current = operation({thread, i});
    if (causal::orders_stores(current)) ++epoch;
    if (causal::happens_with_previous(current)) {
      events[i] = i > 0 ? events[i - 1] : kNoEvent;
      continue;
    }
    if (causal::is_local(current)) continue;
    events[i] = new_event({thread, i});
    if (causal::is_buffered(current, model_)) {
      edge(last, events[i]);
      const uint64_t end = current.address + current.size;
      for (const Buffered& earlier : buffer) {
        const bool ordered = model_ == MemoryModel::kTso
                                 ? &earlier == &buffer.back()
                                 : earlier.epoch < epoch || (earlier.address < end && current.address < earlier.end);
        if (ordered) edge(earlier.event, events[i]);
      }
      buffer.push_back({events[i], current.address, end, epoch});
      continue;
    }
    edge(last, events[i]);
    if (causal::drains_buffer(current)) {
      for (const Buffered& earlier : buffer) edge(earlier.event, events[i]);
      buffer.clear();
    }
    last = events[i];
  }
  last_events_[thread].clear();
  if (last != kNoEvent) last_events_[thread].push_back(last);
  for (const Buffered& store : buffer) last_events_[thread].push_back(store.event);
}

void CutProblem::add_creation_and_end() {
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const EventId event = {t, i};
      const HeddleRecord& current = operation(event);
      const HeddleEffect effect = semantics::effect_of(current);
      if (effect == HEDDLE_EFFECT_START) {
        const EventId creator = dependences_->needs(event).front().servers.front();
        if (!causal::contains(*cut_, creator)) {
          possible_ = false;
          return;
        }
        edge(event_of(creator), event_of(event));
      } else if (effect == HEDDLE_EFFECT_JOIN && !semantics::gave_up(current)) {
        const ThreadId joined = static_cast<ThreadId>(current.value);
        const uint32_t length = execution_->length(joined);
        if (length == 0 || !causal::contains(*cut_, {joined, length - 1}) ||
            operation({joined, length - 1}).kind != HEDDLE_THREAD_END) {
          possible_ = false;
          return;
        }
        edge(event_of({joined, length - 1}), event_of(event));
      } else if (current.kind == HEDDLE_EXIT) {
        for (ThreadId other = 0; other < cut_->size(); ++other)
          for (const Event last : last_events_[other]) edge(last, event_of(event));
      }
    }
  }
}

// Accesses to a heap block come before it is freed, and uses of an object of
// synchronisation keep their side of its initialisation and destruction: an
// order that breaks this is a finding of its own, not another way to the same
// results.
void CutProblem::add_lifetimes() {
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const HeddleRecord& current = operation({t, i});
      const bool frees = current.kind == HEDDLE_FREE;
      if (!frees && !semantics::changes_life(current.kind)) continue;
      const uint64_t size = frees ? dependences_->block_size(current.address) : 1;
      for (ThreadId other = 0; other < cut_->size(); ++other) {
        if (other == t) continue;
        for (uint32_t k = 0; k < (*cut_)[other]; ++k) {
          const HeddleRecord& use = operation({other, k});
          if (use.kind == HEDDLE_ALLOC || (use.address - current.address >= size)) continue;
          if (!frees && causal::accesses_memory(use)) continue;
          if (event_of({other, k}) == kNoEvent) continue;
          if (places_->of({other, k}) < places_->of({t, i})) {
            edge(event_of({other, k}), event_of({t, i}));
          } else {
            edge(event_of({t, i}), event_of({other, k}));
          }
        }
      }
    }
  }
}

void CutProblem::put_last(EventId event) {
  for (Event other = 0; other < problem_.events; ++other)
    if (!causal::is_buffered(operation(operations_[other]), model_)) edge(other, event_of(event));
}

void CutProblem::add_hint() {
  problem_.hint.resize(problem_.events);
  for (Event event = 0; event < problem_.events; ++event) problem_.hint[event] = event;
  std::sort(problem_.hint.begin(), problem_.hint.end(), [&](Event a, Event b) {
    if (is_last_look(a) || is_last_look(b)) return is_last_look(a) == is_last_look(b) ? a < b : is_last_look(b);
    const EventId first = operations_[a], second = operations_[b];
    const uint32_t first_rank = places_->of(first), second_rank = places_->of(second);
    return first_rank != second_rank ? first_rank < second_rank : a < b;
  });
}

}  // namespace heddle::property
