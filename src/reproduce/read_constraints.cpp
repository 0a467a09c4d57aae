// SPDX-License-Identifier: Apache-2.0
#include "reproduce/read_constraints.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::reproduce {

using schedule::MemoryModel;
using solve::Event;
using solve::kNoEvent;
using solve::Literal;
using solve::Term;

namespace {

constexpr uint64_t kMostClauses = 20'000'000;
constexpr uint64_t kMostCounted = 50'000'000;

}  // namespace

ReadConstraints::ReadConstraints(System& system, base::Patience& patience)
    : system_(system), patience_(patience), run_(system.run()) {
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      const OperationId id = {t, i};
      if (reads_memory(operation)) reads_[operation.read] = id;
      if (!writes_memory(operation)) continue;
      const bool never = operation.kind == HEDDLE_CAS && run_.terms.is_constant(operation.exchanged) &&
                         !run_.terms.value(operation.exchanged);
      if (never) continue;
      writes_.push_back(id);
      if (!run_.terms.is_constant(operation.address)) {
        anywhere_.push_back(id);
        continue;
      }
      const uint64_t address = run_.terms.value(operation.address);
      for (uint64_t place = address / 8; place <= (address + operation.size - 1) / 8; ++place)
        by_place_[place].push_back(id);
    }
  }
}

uint32_t ReadConstraints::object_of(Term address) const {
  const auto containing = [&](uint64_t place) {
    auto next = std::upper_bound(run_.objects.begin(), run_.objects.end(), std::pair(place, ~uint64_t{0}));
    if (next == run_.objects.begin()) return kNobody;
    --next;
    return place - next->first < next->second ? static_cast<uint32_t>(next - run_.objects.begin()) : kNobody;
  };
  const solve::Terms& terms = run_.terms;
  while (!terms.is_constant(address)) {
    if (terms.node(address).op != solve::Op::kAdd) return kNobody;
    const auto operands = terms.operands(address);
    // The base is the constant, or in the operand that has one.
    if (terms.is_constant(operands[0]) && containing(terms.value(operands[0])) != kNobody) {
      address = operands[0];
    } else if (terms.is_constant(operands[1]) && containing(terms.value(operands[1])) != kNobody) {
      address = operands[1];
    } else {
      address = terms.is_constant(operands[0]) ? operands[1] : operands[0];
    }
  }
  return containing(terms.value(address));
}

bool ReadConstraints::may_touch(const Operation& one, const Operation& two) const {
  const solve::Terms& terms = run_.terms;
  if (terms.is_constant(one.address) && terms.is_constant(two.address)) {
    const uint64_t a = terms.value(one.address), b = terms.value(two.address);
    return a < b + two.size && b < a + one.size;
  }
  const auto known = [&](Term address) {
    const auto [found, is_new] = objects_.try_emplace(address, 0);
    if (is_new) found->second = object_of(address);
    return found->second;
  };
  const uint32_t object = known(one.address), other = known(two.address);
  return object == kNobody || other == kNobody || object == other;
}

bool ReadConstraints::covers(const Operation& write, const Operation& read) const {
  const solve::Terms& terms = run_.terms;
  if (!terms.is_constant(write.address) || !terms.is_constant(read.address)) return write.size == read.size;
  const uint64_t a = terms.value(write.address), b = terms.value(read.address);
  return a <= b && b + read.size <= a + write.size;
}

bool ReadConstraints::surely_hits(OperationId write, OperationId access) const {
  const Operation& one = run_.at(write);
  const Operation& two = run_.at(access);
  if (one.kind == HEDDLE_CAS && !run_.terms.is_constant(one.exchanged)) return false;
  if (one.address == two.address) return true;
  return run_.terms.is_constant(one.address) && run_.terms.is_constant(two.address) && may_touch(one, two);
}

std::vector<OperationId> ReadConstraints::candidates(OperationId read) const {
  const Operation& operation = run_.at(read);
  std::vector<OperationId> result;
  const auto take = [&](const std::vector<OperationId>& writes) {
    for (const OperationId write : writes)
      if (write != read && may_touch(run_.at(write), operation)) result.push_back(write);
  };
  if (run_.terms.is_constant(operation.address)) {
    const uint64_t address = run_.terms.value(operation.address);
    for (uint64_t place = address / 8; place <= (address + operation.size - 1) / 8; ++place)
      if (const auto found = by_place_.find(place); found != by_place_.end()) take(found->second);
    take(anywhere_);
  } else {
    take(writes_);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool ReadConstraints::can_choose(OperationId read) const {
  for (const OperationId write : candidates(read))
    if (!covers(run_.at(write), run_.at(read))) return false;
  return true;
}

OperationId ReadConstraints::own_store(OperationId read) const {
  if (system_.model() == MemoryModel::kSc) return kNoOperation;
  const auto [found, is_new] = own_stores_.try_emplace(read, kNoOperation);
  if (is_new) found->second = find_own_store(read);
  return found->second;
}

OperationId ReadConstraints::find_own_store(OperationId read) const {
  for (uint32_t i = read.index; i-- > 0;) {
    const OperationId id = {read.thread, i};
    if (writes_memory(run_.at(id)) && surely_hits(id, read)) return system_.is_buffered(id) ? id : kNoOperation;
  }
  return kNoOperation;
}

bool ReadConstraints::may_forward(OperationId read, OperationId write) const {
  if (write == kNoOperation || write.thread != read.thread || write.index > read.index || !system_.is_buffered(write))
    return false;
  const OperationId own = own_store(read);
  return own == kNoOperation || write.index >= own.index;
}

// False if the edges alone rule it out.
bool ReadConstraints::may_come_from(OperationId read, OperationId write, const std::vector<OperationId>& writes) const {
  if (may_forward(read, write)) return true;
  const solve::Closure& closure = system_.closure();
  const Event r = system_.event(read);
  if (write != kNoOperation && closure.before(r, system_.in_memory(write))) return false;
  for (const OperationId other : writes) {
    if (other == write || !surely_hits(other, read)) continue;
    const Event o = system_.in_memory(other);
    if (closure.before(o, r) && (write == kNoOperation || closure.before(system_.in_memory(write), o))) return false;
  }
  return true;
}

template <typename Emit>
void ReadConstraints::each_clause(OperationId read, OperationId write, const std::vector<OperationId>& writes,
                                  Emit emit) const {
  const solve::Closure& closure = system_.closure();
  const Event r = system_.event(read);
  const bool forwards = may_forward(read, write);
  const Event w = write == kNoOperation ? kNoEvent : system_.in_memory(write);
  const auto clause = [&](solve::Clause literals) {
    if (forwards && !closure.before(w, r)) literals.push_back(Literal::before(r, w));
    emit(std::move(literals));
  };
  if (w != kNoEvent && !forwards && !closure.before(w, r)) clause({Literal::before(w, r)});
  const OperationId own = own_store(read);
  if (own != kNoOperation && !forwards && !closure.before(system_.in_memory(own), r))
    clause({Literal::before(system_.in_memory(own), r)});
  for (const OperationId other : writes) {
    if (patience_.is_over()) return;
    if (other == write || !surely_hits(other, read)) continue;
    const Event o = system_.in_memory(other);
    if (closure.before(r, o) || (w != kNoEvent && closure.before(o, w))) continue;
    if (w != kNoEvent && !closure.before(w, o)) {
      clause({Literal::before(o, w), Literal::before(r, o)});
      continue;
    }
    // Of those that are after `write` for certain, the nearest ones are enough.
    const bool follows = std::any_of(writes.begin(), writes.end(), [&](OperationId nearer) {
      const Event n = system_.in_memory(nearer);
      return nearer != other && nearer != write && closure.before(n, o) && (w == kNoEvent || closure.before(w, n)) &&
             surely_hits(nearer, read);
    });
    if (!follows) clause({Literal::before(r, o)});
  }
}

bool ReadConstraints::add(OperationId read) {
  const std::vector<OperationId> writes = candidates(read);
  if (clauses_ + writes.size() * writes.size() > kMostClauses) return false;
  auto& choices = choices_[read];
  solve::Clause takes_one;
  const auto offer = [&](OperationId write) {
    if (!may_come_from(read, write, writes)) return;
    const uint32_t choice = system_.new_choice();
    choices[write] = choice;
    takes_one.push_back(Literal::choice(choice));
    each_clause(read, write, writes, [&](solve::Clause literals) {
      literals.push_back(Literal::choice(choice, false));
      system_.clause(std::move(literals));
      ++clauses_;
    });
  };
  offer(kNoOperation);
  for (const OperationId write : writes) offer(write);
  if (takes_one.empty()) {  // no order gives it a value at all
    const uint32_t never = system_.new_choice();
    system_.clause({Literal::choice(never, false)});
    takes_one.push_back(Literal::choice(never));
  }
  system_.clause(std::move(takes_one));
  ++clauses_;
  return !patience_.is_over();
}

Literal ReadConstraints::chosen(OperationId read, OperationId write) const {
  const auto& choices = choices_.at(read);
  const auto found = choices.find(write);
  HEDDLE_CHECK(found != choices.end(), "what a read found is one of its choices");
  return Literal::choice(found->second);
}

uint64_t ReadConstraints::count_all() const {
  uint64_t work = 0, count = 0;
  for (const auto& [symbol, read] : reads_) {
    std::vector<OperationId> writes = candidates(read);
    work += writes.size() * writes.size();
    if (work > kMostCounted || patience_.is_over()) return kTooMany;
    const auto take = [&](OperationId write) {
      if (may_come_from(read, write, writes)) each_clause(read, write, writes, [&](const solve::Clause&) { ++count; });
    };
    take(kNoOperation);
    for (const OperationId write : writes) take(write);
    ++count;
  }
  return patience_.is_over() ? kTooMany : count;
}

}  // namespace heddle::reproduce
