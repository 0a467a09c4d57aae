// SPDX-License-Identifier: Apache-2.0
//
// What follows from an order problem without guessing. Each constraint is a list
// of ways to be met; ways that contradict what is certain are struck out, and
// what all remaining ways have in common becomes certain, until nothing changes.
//
//   A read is met by a source s (s before the read, each other before s or after
//   the read), by the initial value (each other after the read), or by its own
//   store (the read before the store reaches memory).
//   Two sections of a lock: one ends before the other begins, or the reverse.
//   A clause: one of its literals.
//
// What remains open afterwards is for GuidedOrder, Trials and OrderSearch. An
// object can be copied to come back to it later; copies share the problem.
#pragma once

#include "solve/closure.h"
#include "solve/order_problem.h"

namespace heddle::solve {

// A read that can still be met in several ways.
struct OpenRead {
  Event read;
  Event own_store;  // kNoEvent: the own store is no way to meet it
  bool initial;     // the initial value is a way to meet it
  uint32_t index;   // in the problem
};

// Two sections of a lock whose order is open; both have a release.
struct OpenSections {
  Section one, two;
};

class Saturation {
 public:
  // False: the problem has no solution, or has_given_up(). The problem must outlive the use of
  // what this object gives, and so must the patience, which may be null.
  bool run(const OrderProblem& problem, base::Patience* patience = nullptr);

  // Adds an assumption, whose value must be open, and what follows. False: there
  // is no solution with it, or has_given_up(); then only run() and assignment may follow.
  bool assume(const Literal& literal) { return accept(literal) && saturate(); }

  // The patience was over: a problem that counts as impossible may be possible.
  bool has_given_up() const { return patience_ && gave_up_; }

  const Closure& closure() const { return closure_; }
  const std::vector<OpenRead>& open_reads() const { return reads_; }
  const std::vector<OpenSections>& open_sections() const { return sections_; }
  const std::vector<const Clause*>& open_clauses() const { return clauses_; }

  // Rows of the sources that still are a way to meet the read, and of all others.
  const Word* sources(const OpenRead& read) const { return &sources_[size_t{read.index} * closure_.words()]; }
  const Word* others(const OpenRead& read) const { return &others_[size_t{read.index} * closure_.words()]; }

  enum class Value : uint8_t { kFalse, kTrue, kOpen };
  const std::vector<Value>& choices() const { return choices_; }
  Value value(const Literal& literal) const;

 private:
  enum class State : uint8_t { kOpen, kMet, kImpossible };

  bool take_reads(const OrderProblem& problem);
  bool take_sections(const OrderProblem& problem);
  State look_at(OpenRead& read);
  State force_way(OpenRead& read, Event source);
  State add_common(OpenRead& read, bool certain_source);
  bool strike_out(OpenRead& read);
  State look_at(const OpenSections& sections);
  State look_at(const Clause& clause);
  template <typename Item>
  bool look_at_all(std::vector<Item>& items);

  bool saturate();
  bool is_out_of_time() { return patience_ && (gave_up_ = patience_->is_over()); }
  bool add(Event before, Event after);
  bool accept(const Literal& literal);
  Word* sources(const OpenRead& read) { return &sources_[size_t{read.index} * closure_.words()]; }

  Closure closure_;
  bool changed_ = false;
  base::Patience* patience_ = nullptr;
  bool gave_up_ = false;
  std::vector<OpenRead> reads_;
  std::vector<OpenSections> sections_;
  std::vector<const Clause*> clauses_;
  std::vector<Value> choices_;
  std::vector<Word> sources_, others_;  // a row for each read
  std::vector<Word> scratch_;           // two rows
};

}  // namespace heddle::solve
