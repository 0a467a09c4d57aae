// SPDX-License-Identifier: Apache-2.0
//
// Locks: sections of one lock exclude each other, unless both are shared. An
// attempt that failed lies within a section of somebody who held the lock.
// Between ATOMIC_BEGIN and ATOMIC_END nobody else does anything.
#include <unordered_map>

#include "property/cut_problem.h"

namespace heddle::property {

using causal::EventId;
using causal::HeldSection;
using causal::ThreadId;
using solve::Event;
using solve::kNoEvent;
using solve::Literal;

void CutProblem::add_locks() {
  std::unordered_map<uint64_t, size_t> place;
  const auto add = [&](const HeldSection& section) {
    const auto [found, is_new] = place.try_emplace(section.lock, problem_.locks.size());
    if (is_new) problem_.locks.emplace_back();
    const bool released = section.release != causal::kNotReleased && section.release < (*cut_)[section.thread];
    problem_.locks[found->second].sections.push_back({event_of({section.thread, section.acquire}),
                                                      released ? event_of({section.thread, section.release}) : kNoEvent,
                                                      section.is_shared});
  };
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (const HeldSection& section : dependences_->sections(t)) {
      if (section.acquire >= (*cut_)[t]) break;
      if (alternative_ && alternative_->event == EventId{t, section.acquire}) continue;
      add(section);
    }
  }
  if (alternative_) {
    const causal::SectionStep step = causal::section_step(alternative_->operation);
    using Kind = causal::SectionStep::Kind;
    if (step.kind == Kind::kAcquire || step.kind == Kind::kAcquireShared)
      add({step.lock, alternative_->event.thread, alternative_->event.index, causal::kNotReleased,
           step.kind == Kind::kAcquireShared});
  }
}

void CutProblem::add_failed_attempts() {
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      const HeddleRecord& attempt = operation({t, i});
      if (!semantics::takes_lock(attempt.kind) || semantics::may_block(attempt.kind) || !semantics::gave_up(attempt))
        continue;
      const bool shares = semantics::effect_of(attempt) == HEDDLE_EFFECT_SHARE;
      const Event event = event_of({t, i});
      solve::Clause somebody_holds_it;
      bool holds_it_itself = false;
      for (ThreadId other = 0; other < cut_->size(); ++other) {
        for (const HeldSection& section : dependences_->sections(other)) {
          if (section.acquire >= (*cut_)[other]) break;
          if (section.lock != attempt.address || (shares && section.is_shared)) continue;
          if (other == t) {
            holds_it_itself |= section.acquire < i && section.release > i;
            continue;
          }
          const uint32_t choice = new_choice();
          clause({Literal::choice(choice, false), Literal::before(event_of({other, section.acquire}), event)});
          if (section.release < (*cut_)[other])
            clause({Literal::choice(choice, false), Literal::before(event, event_of({other, section.release}))});
          somebody_holds_it.push_back(Literal::choice(choice));
        }
      }
      if (holds_it_itself) continue;
      if (somebody_holds_it.empty()) possible_ = false;
      clause(std::move(somebody_holds_it));
    }
  }
}

void CutProblem::add_atomic_sections() {
  for (ThreadId t = 0; t < cut_->size(); ++t) {
    for (uint32_t i = 0; i < (*cut_)[t]; ++i) {
      if (operation({t, i}).kind != HEDDLE_ATOMIC_BEGIN) continue;
      const Event begin = event_of({t, i});
      Event end = kNoEvent;
      for (uint32_t k = i + 1; k < (*cut_)[t] && end == kNoEvent; ++k)
        if (operation({t, k}).kind == HEDDLE_ATOMIC_END) end = event_of({t, k});
      for (Event other = 0; other < problem_.events; ++other) {
        if (operations_[other].thread == t) continue;
        if (end == kNoEvent) {
          edge(other, begin);
        } else {
          clause({Literal::before(other, begin), Literal::before(end, other)});
        }
      }
    }
  }
}

}  // namespace heddle::property
