// SPDX-License-Identifier: Apache-2.0
//
// Order problems as formulas, for solvers of formulas: written once, for any
// kind of term. Every order literal occurs as "first < second", never negated;
// so a model in which two events have equal places is fine: either order of the
// two does.
//
// Language gives the terms:
//   Term before(Event, Event);  Term choice(uint32_t, bool);
//   Term all(const std::vector<Term>&);  Term any(const std::vector<Term>&);
//   void heading(const std::string&);  void require(const Term&);
#pragma once

#include <string>
#include <vector>

#include "solve/order_problem.h"

namespace heddle::solve {

template <typename Language>
class Translation {
 public:
  using Term = typename Language::Term;
  using Terms = std::vector<Term>;

  explicit Translation(Language& language) : language_(language) {}

  void translate(const OrderProblem& problem) {
    if (!problem.edges.empty()) language_.heading("edges");
    for (const Edge& edge : problem.edges) language_.require(language_.before(edge.before, edge.after));
    for (size_t i = 0; i < problem.reads.size(); ++i) {
      language_.heading("read " + std::to_string(i));
      translate_read(problem.reads[i]);
    }
    for (size_t i = 0; i < problem.locks.size(); ++i) {
      language_.heading("lock " + std::to_string(i));
      translate_lock(problem.locks[i]);
    }
    for (size_t i = 0; i < problem.clauses.size(); ++i) {
      language_.heading("clause " + std::to_string(i));
      translate_clause(problem.clauses[i]);
    }
  }

 private:
  // One of: forwarded from the own store; the initial value; each of the sources.
  void translate_read(const Read& read) {
    Terms ways;
    if (read.own_store != kNoEvent) {
      if (read.own_store_matches) {
        ways.push_back(language_.before(read.read, read.own_store));
      } else {
        language_.require(language_.before(read.own_store, read.read));
      }
    }
    if (read.initial_matches) {
      Terms untouched;
      for (const Event other : read.others) {
        if (other != read.read) untouched.push_back(language_.before(read.read, other));
      }
      ways.push_back(language_.all(untouched));
    }
    for (const Event source : read.sources) {
      if (source != read.read) ways.push_back(from_source(read, source));
    }
    language_.require(language_.any(ways));
  }

  Term from_source(const Read& read, Event source) {
    Terms way{language_.before(source, read.read)};
    for (const Event other : read.others) {
      if (other == read.read) continue;
      way.push_back(language_.any({language_.before(other, source), language_.before(read.read, other)}));
    }
    return language_.all(way);
  }

  void translate_lock(const Lock& lock) {
    for (size_t i = 0; i < lock.sections.size(); ++i) {
      const Section& one = lock.sections[i];
      if (one.release != kNoEvent) language_.require(language_.before(one.acquire, one.release));
      for (size_t j = 0; j < i; ++j) {
        const Section& two = lock.sections[j];
        if (one.shared && two.shared) continue;
        Terms ways;
        if (one.release != kNoEvent) ways.push_back(language_.before(one.release, two.acquire));
        if (two.release != kNoEvent) ways.push_back(language_.before(two.release, one.acquire));
        language_.require(language_.any(ways));
      }
    }
  }

  void translate_clause(const Clause& clause) {
    Terms ways;
    for (const Literal& literal : clause) {
      const bool is_choice = literal.kind == Literal::Kind::kChoice;
      ways.push_back(is_choice ? language_.choice(literal.first, literal.value)
                               : language_.before(literal.first, literal.second));
    }
    language_.require(language_.any(ways));
  }

  Language& language_;
};

}  // namespace heddle::solve
