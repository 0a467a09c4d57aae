// SPDX-License-Identifier: Apache-2.0
//
// Waiting to be woken: condition variables and notifications of words. A wait
// that was woken has a waker of its own between its beginning and its end; a
// broadcast serves any number. Waking somebody earlier than in an order that
// works never spoils the order, so it does not matter that a signal must wake
// one of those who wait. Except when a wait ends without being woken (time-out,
// spurious wake-up): until then, every signal must have gone to another.
#include <algorithm>
#include <map>

#include "property/cut_problem.h"

namespace heddle::property {

using causal::EventId;
using causal::ThreadId;
using solve::Event;
using solve::kNoEvent;
using solve::Literal;

struct CutProblem::Waiter {
  Event begin = kNoEvent;
  Event end = kNoEvent;    // woken, and going on
  Event leave = kNoEvent;  // gave up waiting
  bool is_asleep = false;  // to the end of the cut
};

struct CutProblem::Queue {
  std::vector<Waiter> waiters;
  std::vector<Event> signals, broadcasts;
};

void CutProblem::add_waits() {
  std::map<uint64_t, Queue> queues;
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    bool has_left = false;
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const HeddleRecord& current = operation({t, i});
      const Event event = event_of({t, i});
      const auto queue = [&]() -> Queue& { return queues[current.address]; };
      switch (semantics::effect_of(current)) {
        case HEDDLE_EFFECT_WAIT:
          if (semantics::gave_up(current)) break;
          queue().waiters.push_back({event, kNoEvent, kNoEvent, false});
          has_left = false;
          break;
        case HEDDLE_EFFECT_LEAVE:
          queue().waiters.back().leave = event;
          has_left = true;
          break;
        case HEDDLE_EFFECT_RESUME: {
          if (has_left) break;
          Waiter& waiter = queue().waiters.back();
          (semantics::was_woken(current) ? waiter.end : waiter.leave) = event;
          break;
        }
        case HEDDLE_EFFECT_WAKE:
          (semantics::most_woken(current) <= 1 ? queue().signals : queue().broadcasts).push_back(event);
          break;
        default: break;
      }
    }
    if (std::find(asleep_.begin(), asleep_.end(), t) != asleep_.end())
      queues[operation({t, (*cut_)[t] - 1}).address].waiters.back().is_asleep = true;
  }
  for (const auto& [address, queue] : queues) add_queue(queue);
}

void CutProblem::add_queue(const Queue& queue) {
  bool somebody_left = false;
  for (const Waiter& waiter : queue.waiters) somebody_left |= waiter.leave != kNoEvent || waiter.is_asleep;

  // choice wakes[s][w]: signal s wakes waiter w.
  std::vector<std::vector<uint32_t>> wakes(queue.signals.size());
  for (size_t s = 0; s < queue.signals.size(); ++s) {
    for (const Waiter& waiter : queue.waiters) {
      const uint32_t choice = new_choice();
      wakes[s].push_back(choice);
      const Literal not_chosen = Literal::choice(choice, false);
      if (waiter.leave != kNoEvent || waiter.is_asleep || (waiter.end == kNoEvent && !somebody_left)) {
        clause({not_chosen});
        continue;
      }
      clause({not_chosen, Literal::before(waiter.begin, queue.signals[s])});
      if (waiter.end != kNoEvent) clause({not_chosen, Literal::before(queue.signals[s], waiter.end)});
      if (somebody_left)
        for (const Event broadcast : queue.broadcasts)
          clause({not_chosen, Literal::before(broadcast, waiter.begin), Literal::before(queue.signals[s], broadcast)});
    }
    for (size_t a = 0; a < wakes[s].size(); ++a)
      for (size_t b = a + 1; b < wakes[s].size(); ++b)
        clause({Literal::choice(wakes[s][a], false), Literal::choice(wakes[s][b], false)});
  }

  for (size_t w = 0; w < queue.waiters.size(); ++w) {
    const Waiter& waiter = queue.waiters[w];
    for (size_t a = 0; somebody_left && a < wakes.size(); ++a)
      for (size_t b = a + 1; b < wakes.size(); ++b)
        clause({Literal::choice(wakes[a][w], false), Literal::choice(wakes[b][w], false)});
    if (waiter.end != kNoEvent) {
      solve::Clause somebody_woke_it;
      for (const auto& choices : wakes) somebody_woke_it.push_back(Literal::choice(choices[w]));
      for (const Event broadcast : queue.broadcasts) {
        const uint32_t choice = new_choice();
        clause({Literal::choice(choice, false), Literal::before(waiter.begin, broadcast)});
        clause({Literal::choice(choice, false), Literal::before(broadcast, waiter.end)});
        somebody_woke_it.push_back(Literal::choice(choice));
      }
      if (somebody_woke_it.empty()) possible_ = false;
      clause(std::move(somebody_woke_it));
    }
    if (waiter.leave == kNoEvent && !waiter.is_asleep) continue;
    const auto outside = [&](Event waker) {
      solve::Clause literals = {Literal::before(waker, waiter.begin)};
      if (waiter.leave != kNoEvent) literals.push_back(Literal::before(waiter.leave, waker));
      return literals;
    };
    for (const Event broadcast : queue.broadcasts) clause(outside(broadcast));
    for (size_t s = 0; s < queue.signals.size(); ++s) {
      solve::Clause passed_by = outside(queue.signals[s]);
      for (size_t other = 0; other < queue.waiters.size(); ++other)
        if (other != w) passed_by.push_back(Literal::choice(wakes[s][other]));
      clause(std::move(passed_by));
    }
  }
}

}  // namespace heddle::property
