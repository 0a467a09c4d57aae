// SPDX-License-Identifier: Apache-2.0
//
// From an order of events to steps of a schedule. Operations that have no event
// of their own (they matter to their thread only) and the issuing of buffered
// stores go just before the next operation of their thread. A signal wakes,
// of those who wait, the one that goes on soonest.
#include <map>

#include "property/cut_problem.h"

namespace heddle::property {

using causal::EventId;
using causal::ThreadId;
using schedule::StepKind;
using solve::Event;

namespace {

// Who waits at each address, and when (in the order of events) they go on.
class Wakings {
 public:
  // `resume` is the index of the operation with which it goes on.
  void begin(uint64_t address, ThreadId thread, uint32_t resume, uint64_t goes_on) {
    waiting_[address].push_back({goes_on, thread, resume});
  }
  void leave(uint64_t address, ThreadId thread) {
    std::erase_if(waiting_[address], [&](const Waiting& waiting) { return waiting.thread == thread; });
  }
  // Takes at most `most` away, soonest first: what they go on with.
  std::vector<EventId> wake(uint64_t address, uint64_t most) {
    std::vector<EventId> woken;
    auto& waiting = waiting_[address];
    while (woken.size() < most && !waiting.empty()) {
      size_t soonest = 0;
      for (size_t i = 1; i < waiting.size(); ++i)
        if (waiting[i].goes_on < waiting[soonest].goes_on) soonest = i;
      woken.push_back({waiting[soonest].thread, waiting[soonest].resume});
      waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(soonest));
    }
    return woken;
  }

 private:
  struct Waiting {
    uint64_t goes_on;
    ThreadId thread;
    uint32_t resume;
  };
  std::map<uint64_t, std::vector<Waiting>> waiting_;
};

// Stores that have been issued and not reached memory. Those to a local variable are
// dropped when it ends its life, as the runtime does.
class WaitingStores {
 public:
  void issue(EventId event, const HeddleRecord& store) {
    stores_.push_back({event, store.address, store.address + store.size});
  }
  // True: it was still there.
  bool take(EventId event) {
    return std::erase_if(stores_, [&](const Store& store) { return store.event == event; }) > 0;
  }
  // The thread has come to the point before this operation.
  void drop(const causal::Execution& execution, EventId before) {
    const auto less = [](const causal::LocalEnd& end, const EventId& event) { return end.before < event; };
    const auto& ends = execution.local_ends;
    for (auto end = std::lower_bound(ends.begin(), ends.end(), before, less);
         end != ends.end() && end->before == before; ++end)
      std::erase_if(stores_, [&](const Store& store) {
        return store.begin < end->address + end->size && end->address < store.end;
      });
  }

 private:
  struct Store {
    EventId event;
    uint64_t begin, end;
  };
  std::vector<Store> stores_;
};

// Later than any event: not within the cut; later still: ends without being woken.
constexpr uint64_t kNotInCut = uint64_t{1} << 40, kNeverWoken = uint64_t{1} << 41;

}  // namespace

std::vector<PlannedStep> CutProblem::steps(const std::vector<Event>& order) const {
  std::vector<PlannedStep> steps;
  std::vector<uint32_t> next(cut_->size(), 0);
  std::vector<uint64_t> place(problem_.events);
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  Wakings wakings;
  WaitingStores stores;

  const auto add = [&](StepKind kind, EventId event) { steps.push_back({kind, event, 0, 0}); };
  // In a window what a thread holds and waits for at first is followed by more that was added: its waking comes after
  // that.
  const auto resume_of = [&](EventId wait) {
    for (EventId after{wait.thread, wait.index + 1}; after.index < execution_->length(wait.thread); ++after.index) {
      const HeddleEffect effect = semantics::effect_of(execution_->operation(after));
      if (effect == HEDDLE_EFFECT_RESUME || effect == HEDDLE_EFFECT_LEAVE) return after;
    }
    return EventId{wait.thread, wait.index + 1};
  };
  const auto when_it_goes_on = [&](EventId after) {
    if (!causal::contains(*cut_, after)) return kNotInCut;
    const HeddleRecord& record = operation(after);
    const bool is_woken = causal::ends_wait(record) && semantics::was_woken(record);
    return is_woken ? place[event_of(after)] : kNeverWoken;
  };
  // A broadcast need not say whom it wakes.
  const auto wake = [&](const HeddleRecord& record) {
    const std::vector<EventId> woken = wakings.wake(record.address, semantics::most_woken(record));
    if (record.kind == HEDDLE_COND_BROADCAST) return;
    for (const EventId resume : woken) add(StepKind::kWake, resume);
  };
  const auto perform = [&](EventId event) {
    const HeddleRecord& record = operation(event);
    if (!causal::happens_with_previous(record)) steps.push_back(step_of(event, record));
    const auto begin_wait = [&] {
      const EventId resume = resume_of(event);
      wakings.begin(record.address, event.thread, resume.index, when_it_goes_on(resume));
    };
    switch (semantics::effect_of(record)) {
      case HEDDLE_EFFECT_WAIT:
        if (!semantics::gave_up(record)) begin_wait();
        break;
      case HEDDLE_EFFECT_LEAVE:
      case HEDDLE_EFFECT_RESUME: wakings.leave(record.address, event.thread); break;
      case HEDDLE_EFFECT_WAKE: wake(record); break;
      default: break;
    }
    if (model_ == causal::MemoryModel::kSc) return;
    if (causal::is_buffered(record, model_)) stores.issue(event, record);
    stores.drop(*execution_, {event.thread, event.index + 1});
  };
  const auto perform_up_to = [&](ThreadId thread, uint32_t end) {
    for (; next[thread] < end; ++next[thread]) perform({thread, next[thread]});
  };

  for (const Event event : order) {
    if (is_last_look(event)) continue;
    const EventId at = operations_[event];
    perform_up_to(at.thread, at.index + 1);
    if (causal::is_buffered(operation(at), model_) && stores.take(at)) add(StepKind::kFlush, at);
  }
  for (ThreadId t = 0; t < cut_->size(); ++t) perform_up_to(t, (*cut_)[t]);
  return steps;
}

}  // namespace heddle::property
