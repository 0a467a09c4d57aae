// SPDX-License-Identifier: Apache-2.0
//
// Objects of synchronisation. Sections of a lock exclude each other unless both are
// shared; an attempt in vain lies within a section of another. A wait at a condition
// has a broadcast, or a signal of its own, between its beginning and its end. A wait
// for a semaphore takes a token of its own, one of the first ones or one that was posted
// before; when an attempt found none, all that had been there were taken. Who leaves a
// barrier was the last to arrive if he was told so, and else was not.
#include <algorithm>

#include "predict/recipe_question.h"

namespace heddle::predict {

using solve::Formula;

bool RecipeQuestion::encode_locks() {
  exclusions_.clear();
  for (const auto& [lock, sections] : window_.objects().sections())
    for (size_t i = 0; i < sections.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (!encode_exclusion(sections[i], sections[j])) return false;
  return true;
}

// False: they exclude each other, and neither can come first.
bool RecipeQuestion::encode_exclusion(const LockSection& one, const LockSection& other) {
  if (one.thread == other.thread || (one.is_shared && other.is_shared)) return true;
  const auto begin = kept(one.thread, one.acquire), rival = kept(other.thread, other.acquire);
  if ((one.acquire && !begin) || (other.acquire && !rival)) return true;  // it is not entered
  if (!begin && !rival) return true;
  const auto end = kept(one.thread, one.release), rival_end = kept(other.thread, other.release);
  if (end && rival && window_.must_precede(*end, *rival)) return true;
  if (rival_end && begin && window_.must_precede(*rival_end, *begin)) return true;
  Ways ways;
  for (const auto& acquire : {begin, rival})
    if (acquire && !goal_->is_of(acquire->thread)) ways.emplace_back(point_, events_.at(*acquire));
  if (end && rival) ways.emplace_back(events_.at(*end), events_.at(*rival));
  if (rival_end && begin) ways.emplace_back(events_.at(*rival_end), events_.at(*begin));
  if (ways.empty()) return false;
  exclusions_.push_back(std::move(ways));
  return true;
}

// Those that the order found does not have. False: it has them all.
bool RecipeQuestion::require_exclusions() {
  const std::vector<solve::Event> order = solver_.order();
  std::vector<size_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  const size_t before = exclusions_.size();
  std::erase_if(exclusions_, [&](const Ways& ways) {
    if (std::any_of(ways.begin(), ways.end(), [&](const auto& way) { return place[way.first] < place[way.second]; }))
      return false;
    Formulas any;
    for (const auto& [first, second] : ways) any.push_back(solver_.before(first, second));
    solver_.require(solver_.any(any));
    return true;
  });
  return exclusions_.size() < before;
}

void RecipeQuestion::encode_attempts() {
  for (const VainAttempt& attempt : window_.objects().attempts()) {
    if (!is_kept(attempt.event)) continue;
    Formulas ways = unless_later(attempt.event);
    bool has_it_itself = false;
    const auto sections = window_.objects().sections().find(attempt.lock);
    if (sections != window_.objects().sections().end()) {
      for (const LockSection& section : sections->second) {
        if (section.thread == attempt.event.thread) {
          has_it_itself |= (!section.acquire || *section.acquire < attempt.event.index) &&
                           (!section.release || *section.release > attempt.event.index);
          continue;
        }
        const auto begin = kept(section.thread, section.acquire), end = kept(section.thread, section.release);
        if ((attempt.is_shared && section.is_shared) || (section.acquire && !begin)) continue;
        Formulas way;
        if (begin) way.push_back(before(*begin, attempt.event));
        if (end) way.push_back(before(attempt.event, *end));
        ways.push_back(solver_.all(way));
      }
    }
    if (!has_it_itself) solver_.require(solver_.any(ways));
  }
}

void RecipeQuestion::encode_waits(const ConditionUse& condition) {
  std::vector<Waiter> waiters;  // that go on
  for (const Waiter& waiter : condition.waiters)
    if (kept(waiter.thread, waiter.resume)) waiters.push_back(waiter);
  if (waiters.empty()) return;
  std::vector<Formulas> ways;
  for (const Waiter& waiter : waiters) ways.push_back(unless_later({waiter.thread, *waiter.resume}));
  const auto wakes = [&](EventId waker, const Waiter& waiter) {
    Formulas between{before(waker, {waiter.thread, *waiter.resume})};
    if (waiter.begin) between.push_back(before({waiter.thread, *waiter.begin}, waker));
    return between;
  };
  for (const EventId broadcast : condition.broadcasts) {
    if (!is_kept(broadcast)) continue;
    for (size_t w = 0; w < waiters.size(); ++w)
      if (waiters[w].thread != broadcast.thread) ways[w].push_back(solver_.all(wakes(broadcast, waiters[w])));
  }
  for (const EventId signal : condition.signals) {
    if (!is_kept(signal)) continue;
    Formulas chosen;  // whom it wakes: one
    for (size_t w = 0; w < waiters.size(); ++w) {
      if (waiters[w].thread == signal.thread) continue;
      Formulas between = wakes(signal, waiters[w]);
      const Formula choice = solver_.choice();
      for (const Formula earlier : chosen)
        solver_.require(solver_.any({solver_.negation(earlier), solver_.negation(choice)}));
      chosen.push_back(choice);
      between.push_back(choice);
      ways[w].push_back(solver_.all(between));
    }
  }
  for (const Formulas& each : ways) solver_.require(solver_.any(each));
}

void RecipeQuestion::encode_tokens(const SemaphoreUse& semaphore) {
  const auto kept_of = [&](const std::vector<EventId>& events) {
    std::vector<EventId> result;
    std::copy_if(events.begin(), events.end(), std::back_inserter(result),
                 [&](EventId event) { return is_kept(event); });
    return result;
  };
  const std::vector<EventId> waits = kept_of(semaphore.waits), failures = kept_of(semaphore.failures);
  if (failures.empty() && semaphore.tokens >= waits.size()) return;
  std::vector<std::optional<EventId>> tokens(semaphore.tokens);  // none: it was there at first
  for (const EventId post : kept_of(semaphore.posts)) tokens.push_back(post);
  // takes[t][w]: wait w takes token t.
  std::vector<Formulas> takes(tokens.size());
  const auto not_both = [&](Formula one, Formula other) {
    solver_.require(solver_.any({solver_.negation(one), solver_.negation(other)}));
  };
  for (size_t t = 0; t < tokens.size(); ++t) {
    for (size_t w = 0; w < waits.size(); ++w) {
      const Formula choice = solver_.choice();
      for (const Formula earlier : takes[t]) not_both(earlier, choice);
      for (size_t other = 0; other < t; ++other) not_both(takes[other][w], choice);
      if (tokens[t]) solver_.require(solver_.any({solver_.negation(choice), before(*tokens[t], waits[w])}));
      takes[t].push_back(choice);
    }
  }
  for (size_t w = 0; w < waits.size(); ++w) {
    Formulas ways = unless_later(waits[w]);
    for (const Formulas& token : takes) ways.push_back(token[w]);
    solver_.require(solver_.any(ways));
  }
  for (const EventId failure : failures) {
    for (size_t t = 0; t < tokens.size(); ++t) {
      Formulas ways = unless_later(failure);
      if (tokens[t]) ways.push_back(before(failure, *tokens[t]));
      for (size_t w = 0; w < waits.size(); ++w) ways.push_back(solver_.all({takes[t][w], before(waits[w], failure)}));
      solver_.require(solver_.any(ways));
    }
  }
}

// That all have arrived is an order that always holds.
void RecipeQuestion::encode_barriers() {
  for (const Leaving& leaving : window_.objects().leavings()) {
    if (!is_kept(leaving.leave)) continue;
    Formulas later_arrivals = unless_later(leaving.leave);
    for (const EventId other : leaving.others) {
      if (!is_kept(other)) continue;  // then it is not left before the point
      if (leaving.is_last) {
        Formulas ways = unless_later(leaving.leave);
        ways.push_back(before(other, leaving.arrival));
        solver_.require(solver_.any(ways));
      } else {
        later_arrivals.push_back(before(leaving.arrival, other));
      }
    }
    if (!leaving.is_last) solver_.require(solver_.any(later_arrivals));
  }
}

}  // namespace heddle::predict
