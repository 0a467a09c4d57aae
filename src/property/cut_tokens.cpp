// SPDX-License-Identifier: Apache-2.0
//
// Semaphores: each wait takes a token of its own, one of the first ones or one
// that was posted before; when an attempt failed, every token there had been
// was taken already. Barriers: nobody leaves before all of the round have
// arrived, and the last to arrive is told so. One-time initialisation: who does
// not run it comes after it is done.
#include <map>

#include "property/cut_problem.h"

namespace heddle::property {

using causal::EventId;
using causal::ThreadId;
using semantics::effect_of;
using semantics::gave_up;
using solve::Event;
using solve::kNoEvent;
using solve::Literal;

namespace {

struct Semaphore {
  std::vector<Event> waits, posts, failures;
};

}  // namespace

void CutProblem::add_semaphores() {
  std::map<uint64_t, Semaphore> semaphores;
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const HeddleRecord& current = operation({t, i});
      switch (effect_of(current)) {
        case HEDDLE_EFFECT_TAKE: {
          Semaphore& semaphore = semaphores[current.address];
          (gave_up(current) ? semaphore.failures : semaphore.waits).push_back(event_of({t, i}));
          break;
        }
        case HEDDLE_EFFECT_POST:
          if (!gave_up(current)) semaphores[current.address].posts.push_back(event_of({t, i}));
          break;
        default: break;
      }
    }
  }
  for (const auto& [address, semaphore] : semaphores) {
    const uint64_t initial = dependences_->initial_tokens(address);
    if (semaphore.failures.empty() && initial >= semaphore.waits.size()) continue;
    if (initial + semaphore.posts.size() < semaphore.waits.size() ||
        (!semaphore.failures.empty() && initial > semaphore.waits.size())) {
      possible_ = false;
      return;
    }
    // Tokens: the first ones (kNoEvent), then the posts. takes[token][wait].
    std::vector<Event> tokens(initial, kNoEvent);
    tokens.insert(tokens.end(), semaphore.posts.begin(), semaphore.posts.end());
    std::vector<std::vector<uint32_t>> takes(tokens.size());
    for (size_t token = 0; token < tokens.size(); ++token) {
      for (const Event wait : semaphore.waits) {
        const uint32_t choice = new_choice();
        if (tokens[token] != kNoEvent) clause({Literal::choice(choice, false), Literal::before(tokens[token], wait)});
        for (const uint32_t other : takes[token])
          clause({Literal::choice(choice, false), Literal::choice(other, false)});
        takes[token].push_back(choice);
      }
    }
    for (size_t wait = 0; wait < semaphore.waits.size(); ++wait) {
      solve::Clause takes_one;
      for (size_t token = 0; token < tokens.size(); ++token) {
        takes_one.push_back(Literal::choice(takes[token][wait]));
        for (size_t other = 0; other < token; ++other)
          clause({Literal::choice(takes[token][wait], false), Literal::choice(takes[other][wait], false)});
      }
      clause(std::move(takes_one));
    }
    for (const Event failure : semaphore.failures) {
      for (size_t token = 0; token < tokens.size(); ++token) {
        solve::Clause taken;
        if (tokens[token] != kNoEvent) taken.push_back(Literal::before(failure, tokens[token]));
        for (size_t wait = 0; wait < semaphore.waits.size(); ++wait) {
          solve::Clause before = {Literal::choice(takes[token][wait], false),
                                  Literal::before(semaphore.waits[wait], failure)};
          if (tokens[token] != kNoEvent) before.push_back(Literal::before(failure, tokens[token]));
          clause(std::move(before));
          taken.push_back(Literal::choice(takes[token][wait]));
        }
        clause(std::move(taken));
      }
    }
  }
}

void CutProblem::add_barriers() {
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    std::map<uint64_t, uint64_t> rounds;
    Event own_arrival = kNoEvent;
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const HeddleRecord& current = operation({t, i});
      if (effect_of(current) == HEDDLE_EFFECT_ARRIVE) {
        own_arrival = event_of({t, i});
        ++rounds[current.address];
      }
      if (effect_of(current) != HEDDLE_EFFECT_DEPART) continue;
      const std::vector<EventId> arrivals = dependences_->arrivals(current.address, rounds[current.address] - 1);
      if (arrivals.size() < dependences_->barrier_count(current.address)) possible_ = false;
      solve::Clause somebody_came_later;
      for (const EventId arrival : arrivals) {
        if (!causal::contains(*cut_, arrival)) {
          possible_ = false;
          return;
        }
        edge(event_of(arrival), event_of({t, i}));
        if (arrival.thread == t) continue;
        if (current.flags & HEDDLE_FLAG_SERIAL) {
          edge(event_of(arrival), own_arrival);
        } else {
          somebody_came_later.push_back(Literal::before(own_arrival, event_of(arrival)));
        }
      }
      if (current.flags & HEDDLE_FLAG_SERIAL) continue;
      if (somebody_came_later.empty()) possible_ = false;
      clause(std::move(somebody_came_later));
    }
  }
}

void CutProblem::add_initialisations() {
  struct Once {
    std::vector<Event> late;                        // found it done
    std::vector<std::pair<Event, Event>> attempts;  // began, ended; kNoEvent: still running
    std::vector<Event> successes;
  };
  std::map<uint64_t, Once> initialisations;
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const HeddleRecord& current = operation({t, i});
      const Event event = event_of({t, i});
      if (effect_of(current) == HEDDLE_EFFECT_ENTER) {
        Once& once = initialisations[current.address];
        if (current.value) {
          once.attempts.push_back({event, kNoEvent});
        } else {
          once.late.push_back(event);
        }
      } else if (effect_of(current) == HEDDLE_EFFECT_FINISH) {
        Once& once = initialisations[current.address];
        if (!once.attempts.empty()) once.attempts.back().second = event;
        if (!gave_up(current)) once.successes.push_back(event);
      }
    }
  }
  for (const auto& [address, once] : initialisations) {
    if (once.successes.size() > 1 || (once.successes.empty() && !once.late.empty())) {
      // Done before the program's first operation on it, or not possible.
      if (!(once.successes.empty() && once.attempts.empty())) possible_ = false;
      continue;
    }
    if (once.successes.empty()) continue;
    const Event done = once.successes.front();
    for (const Event late : once.late) edge(done, late);
    for (const auto& [begin, end] : once.attempts) {
      if (end == done) continue;
      if (end == kNoEvent) {
        possible_ = false;
      } else {
        edge(end, done);
      }
    }
  }
}

}  // namespace heddle::property
