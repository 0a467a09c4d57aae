// SPDX-License-Identifier: Apache-2.0
//
// Which operations nobody else can notice: what each thread still touches, and
// under which locks.
#include <algorithm>

#include "reproduce/exploration.h"
#include "semantics/meaning.h"

namespace heddle::reproduce {

using solve::Term;

namespace {

bool is_access(const Operation& operation) { return reads_memory(operation) || writes_memory(operation); }

HeddleEffect effect_of(const Operation& operation) { return semantics::effect_of(operation.kind); }

// Of a mutex or a reader-writer lock.
bool releases_lock(const Operation& operation) { return effect_of(operation) == HEDDLE_EFFECT_RELEASE; }

// The same with the mutex of a condition wait, where the lock changes hands.
bool takes_lock(const Operation& operation) {
  if (semantics::takes_mutex_back(operation.kind, operation.flags)) return true;
  return semantics::takes_lock(operation.kind) && !semantics::gave_up(operation.flags);
}
bool gives_lock(const Operation& operation) {
  const bool begins_wait =
      semantics::family_of(operation.kind) == HEDDLE_FAMILY_CONDITION && effect_of(operation) == HEDDLE_EFFECT_WAIT;
  return (releases_lock(operation) || begins_wait) && !semantics::gave_up(operation.flags);
}

// It came out as it did because somebody held the lock.
bool needs_held(const Operation& operation) {
  return semantics::gave_up(operation.flags) || (operation.flags & HEDDLE_FLAG_MISUSE) ||
         semantics::changes_life(operation.kind);
}

}  // namespace

void Exploration::find_unreliable_locks() {
  for (const Thread& thread : run_.threads) {
    std::map<uint64_t, uint32_t> depths;
    for (const Operation& operation : thread.operations) {
      const bool is_condition = semantics::family_of(operation.kind) == HEDDLE_FAMILY_CONDITION;
      const Term address = is_condition ? operation.mutex : operation.address;
      if (!run_.terms.is_constant(address)) continue;
      const uint64_t lock = run_.terms.value(address);
      if (takes_lock(operation)) ++depths[lock];
      if (gives_lock(operation) && depths[lock]-- == 0) {
        unreliable_.insert(lock);
        depths[lock] = 0;
      }
    }
  }
}

uint64_t Exploration::bit(uint64_t lock) {
  if (unreliable_.contains(lock)) return 0;
  const auto [found, is_new] = bits_.try_emplace(lock, bits_.size() < 64 ? uint64_t{1} << bits_.size() : 0);
  return found->second;
}

// Where the thread touches what, under which locks, and how long it needs what it read.
void Exploration::prepare(uint32_t thread) {
  Line& line = lines_[thread];
  const std::vector<Operation>& operations = run_.threads[thread].operations;
  std::map<Term, size_t> uses;
  const auto use = [&](Term term, uint32_t index) {
    if (run_.terms.is_constant(term)) return;
    for (const Term symbol : run_.terms.symbols(term))
      if (const auto found = uses.find(symbol); found != uses.end())
        line.uses[found->second].last_use = std::max(line.uses[found->second].last_use, index);
  };
  const auto known = [&](Term address) { return run_.terms.is_constant(address) ? run_.terms.value(address) : 0; };
  Locks locks;
  std::map<uint64_t, uint32_t> depths;
  const auto take = [&](uint64_t lock, bool owns) {
    if (depths[lock]++) return;
    locks.held |= bit(lock);
    if (owns) locks.owned |= bit(lock);
  };
  const auto give = [&](uint64_t lock) {
    if (!depths[lock] || --depths[lock]) return;
    locks.held &= ~bit(lock);
    locks.owned &= ~bit(lock);
  };
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    line.locks.push_back(locks);
    if (is_access(operation)) {
      const Touch touch = {i, writes_memory(operation), locks};
      if (!run_.terms.is_constant(operation.address)) {
        line.anywhere.push_back(touch);
        if (reads_memory(operation)) line.last_read_anywhere = i + 1;
      } else {
        const uint64_t address = known(operation.address);
        for (uint64_t place = address / kPlace; place <= (address + operation.size - 1) / kPlace; ++place) {
          line.places[place].push_back(touch);
          if (reads_memory(operation)) line.last_reads[place] = i;
        }
      }
      use(operation.address, i);
      use(operation.written, i);
      use(operation.exchanged, i);
      if (reads_memory(operation)) {
        uses[operation.read] = line.uses.size();
        line.uses.push_back({i, i, operation.read});
        use(operation.written, i);
        use(operation.exchanged, i);
      }
      continue;
    }
    if (is_private(operation)) continue;
    const uint64_t object = known(operation.address);
    if (!releases_lock(operation) || unreliable_.contains(object))
      line.places[object / kPlace].push_back({i, true, locks});
    const bool is_condition = semantics::family_of(operation.kind) == HEDDLE_FAMILY_CONDITION;
    const uint64_t lock = is_condition ? known(operation.mutex) : object;
    if (gives_lock(operation)) give(lock);
    if (!takes_lock(operation)) continue;
    if (is_condition) line.places[lock / kPlace].push_back({i, true, locks});
    take(lock, effect_of(operation) != HEDDLE_EFFECT_SHARE);
  }
  for (const Condition& condition : run_.threads[thread].conditions) use(condition.holds, condition.after);
}

bool Exploration::may_notice(const Machine& machine, uint32_t thread, uint64_t place, bool writes,
                             const Locks& locks) const {
  const auto notices = [&](const std::vector<Touch>& touches, uint32_t position) {
    auto touch = std::lower_bound(touches.begin(), touches.end(), position,
                                  [](const Touch& a, uint32_t index) { return a.index < index; });
    return std::any_of(touch, touches.end(),
                       [&](const Touch& other) { return (writes || other.writes) && !other.locks.exclude(locks); });
  };
  for (uint32_t t = 0; t < lines_.size(); ++t) {
    if (t == thread) continue;
    const auto found = lines_[t].places.find(place);
    if (found != lines_[t].places.end() && notices(found->second, machine.position(t))) return true;
    if (notices(lines_[t].anywhere, machine.position(t))) return true;
  }
  return false;
}

bool Exploration::may_need_held(const Machine& machine, uint32_t thread, uint64_t lock) const {
  for (uint32_t t = 0; t < lines_.size(); ++t) {
    const auto& operations = run_.threads[t].operations;
    const auto needs_it = [&](const Operation& other) {
      const HeddleFamily family = semantics::family_of(other.kind);
      const bool is_lock = family == HEDDLE_FAMILY_MUTEX || family == HEDDLE_FAMILY_RWLOCK;
      return is_lock && needs_held(other) && machine.value(other.address) == lock;
    };
    if (t != thread && std::any_of(operations.begin() + machine.position(t), operations.end(), needs_it)) return true;
  }
  return false;
}

bool Exploration::is_unnoticed(const Machine& machine, uint32_t thread) const {
  const uint32_t index = machine.position(thread);
  const Operation& next = run_.threads[thread].operations[index];
  const Locks& locks = lines_[thread].locks[index];
  if (is_private(next)) return true;
  const uint64_t address = machine.value(next.address);
  if (is_access(next)) {
    for (uint64_t place = address / kPlace; place <= (address + next.size - 1) / kPlace; ++place)
      if (may_notice(machine, thread, place, writes_memory(next), locks)) return false;
    return true;
  }
  // While it is held nobody can take it.
  if (releases_lock(next) && !unreliable_.contains(address)) return !may_need_held(machine, thread, address);
  const bool is_condition = semantics::family_of(next.kind) == HEDDLE_FAMILY_CONDITION;
  if (is_condition && takes_lock(next) && may_notice(machine, thread, machine.value(next.mutex) / kPlace, true, locks))
    return false;
  return !may_notice(machine, thread, address / kPlace, true, locks);
}

}  // namespace heddle::reproduce
