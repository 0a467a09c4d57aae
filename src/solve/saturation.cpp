// SPDX-License-Identifier: Apache-2.0
#include "solve/saturation.h"

#include <algorithm>

namespace heddle::solve {

bool Saturation::run(const OrderProblem& problem, base::Patience* patience) {
  patience_ = patience;
  gave_up_ = false;
  reads_.clear();
  sections_.clear();
  clauses_.clear();
  choices_.assign(problem.choices, Value::kOpen);
  if (!closure_.reset(problem.events, problem.edges)) return false;
  scratch_.assign(2 * closure_.words(), 0);
  if (!take_reads(problem) || !take_sections(problem)) return false;
  for (const Clause& clause : problem.clauses) clauses_.push_back(&clause);
  return saturate();
}

bool Saturation::saturate() {
  do {
    changed_ = false;
    if (!look_at_all(reads_) || !look_at_all(sections_) || !look_at_all(clauses_)) return false;
  } while (changed_);
  return true;
}

// Drops what is met. False: one of the items is impossible.
template <typename Item>
bool Saturation::look_at_all(std::vector<Item>& items) {
  size_t kept = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (is_out_of_time()) return false;
    State state;
    if constexpr (std::is_pointer_v<Item>) {
      state = look_at(*items[i]);
    } else {
      state = look_at(items[i]);
    }
    if (state == State::kImpossible) return false;
    if (state == State::kOpen) items[kept++] = items[i];
  }
  items.resize(kept);
  return true;
}

bool Saturation::add(Event before, Event after) {
  const size_t edges = closure_.edges().size();
  if (!closure_.add(before, after)) return false;
  changed_ |= closure_.edges().size() != edges;
  return true;
}

Saturation::Value Saturation::value(const Literal& literal) const {
  if (literal.kind == Literal::Kind::kChoice) {
    const Value value = choices_[literal.first];
    if (value == Value::kOpen) return Value::kOpen;
    return (value == Value::kTrue) == literal.value ? Value::kTrue : Value::kFalse;
  }
  if (closure_.before(literal.first, literal.second)) return Value::kTrue;
  return closure_.before(literal.second, literal.first) ? Value::kFalse : Value::kOpen;
}

bool Saturation::accept(const Literal& literal) {
  if (literal.kind == Literal::Kind::kBefore) return add(literal.first, literal.second);
  choices_[literal.first] = literal.value ? Value::kTrue : Value::kFalse;
  changed_ = true;
  return true;
}

Saturation::State Saturation::look_at(const Clause& clause) {
  const Literal* open = nullptr;
  for (const Literal& literal : clause) {
    const Value now = value(literal);
    if (now == Value::kTrue) return State::kMet;
    if (now == Value::kFalse) continue;
    if (open != nullptr) return State::kOpen;
    open = &literal;
  }
  if (open == nullptr) return State::kImpossible;
  return accept(*open) ? State::kMet : State::kImpossible;
}

bool Saturation::take_sections(const OrderProblem& problem) {
  for (const Lock& lock : problem.locks) {
    for (const Section& section : lock.sections) {
      if (section.release != kNoEvent && !add(section.acquire, section.release)) return false;
    }
  }
  for (const Lock& lock : problem.locks) {
    for (size_t i = 0; i < lock.sections.size(); ++i) {
      if (is_out_of_time()) return false;
      const Section& one = lock.sections[i];
      for (size_t j = 0; j < i; ++j) {
        const Section& two = lock.sections[j];
        if (one.shared && two.shared) continue;
        const State state = look_at(OpenSections{one, two});
        if (state == State::kImpossible) return false;
        if (state == State::kOpen) sections_.push_back({one, two});
      }
    }
  }
  return true;
}

Saturation::State Saturation::look_at(const OpenSections& sections) {
  const auto& [one, two] = sections;
  const auto order = [this](const Section& earlier, const Section& later) {
    const bool possible = earlier.release != kNoEvent && add(earlier.release, later.acquire);
    return possible ? State::kMet : State::kImpossible;
  };
  if (one.release == kNoEvent) return order(two, one);
  if (two.release == kNoEvent) return order(one, two);
  if (closure_.before(one.acquire, two.release)) return order(one, two);
  if (closure_.before(two.acquire, one.release)) return order(two, one);
  return State::kOpen;
}

}  // namespace heddle::solve
