// SPDX-License-Identifier: Apache-2.0
//
// Which operations nobody else can notice: what each thread still touches, and
// under which locks.
#include <algorithm>

#include "reproduce/exploration.h"

namespace heddle::reproduce {

using solve::Term;

namespace {

bool is_access(const Operation& operation) { return reads_memory(operation) || writes_memory(operation); }

bool takes_lock(const Operation& operation) {
  return !(operation.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT)) &&
         (operation.kind == HEDDLE_MUTEX_LOCK || operation.kind == HEDDLE_MUTEX_TRYLOCK ||
          operation.kind == HEDDLE_MUTEX_TIMEDLOCK);
}

}  // namespace

uint64_t Exploration::bit(uint64_t lock) {
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
  uint64_t held = 0;
  std::map<uint64_t, uint32_t> depths;
  const auto take = [&](uint64_t lock) {
    if (depths[lock]++ == 0) held |= bit(lock);
  };
  const auto give = [&](uint64_t lock) {
    if (depths[lock] && --depths[lock] == 0) held &= ~bit(lock);
  };
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    line.held.push_back(held);
    if (is_access(operation)) {
      const Touch touch = {i, writes_memory(operation), held};
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
    if (operation.kind != HEDDLE_MUTEX_UNLOCK) line.places[object / kPlace].push_back({i, true, held});
    if (takes_lock(operation)) take(object);
    if (operation.kind == HEDDLE_MUTEX_UNLOCK) give(object);
    if (operation.kind == HEDDLE_COND_WAIT) give(known(operation.mutex));
    if (operation.kind == HEDDLE_COND_RESUME) {
      line.places[known(operation.mutex) / kPlace].push_back({i, true, held});
      take(known(operation.mutex));
    }
  }
  for (const Condition& condition : run_.threads[thread].conditions) use(condition.holds, condition.after);
}

bool Exploration::may_notice(const Machine& machine, uint32_t thread, uint64_t place, bool writes,
                             uint64_t held) const {
  const auto notices = [&](const std::vector<Touch>& touches, uint32_t position) {
    auto touch = std::lower_bound(touches.begin(), touches.end(), position,
                                  [](const Touch& a, uint32_t index) { return a.index < index; });
    return std::any_of(touch, touches.end(),
                       [&](const Touch& other) { return (writes || other.writes) && !(other.held & held); });
  };
  for (uint32_t t = 0; t < lines_.size(); ++t) {
    if (t == thread) continue;
    const auto found = lines_[t].places.find(place);
    if (found != lines_[t].places.end() && notices(found->second, machine.position(t))) return true;
    if (notices(lines_[t].anywhere, machine.position(t))) return true;
  }
  return false;
}

bool Exploration::is_unnoticed(const Machine& machine, uint32_t thread) const {
  const uint32_t index = machine.position(thread);
  const Operation& next = run_.threads[thread].operations[index];
  const uint64_t held = lines_[thread].held[index];
  if (is_private(next)) return true;
  const uint64_t address = machine.value(next.address);
  if (is_access(next)) {
    for (uint64_t place = address / kPlace; place <= (address + next.size - 1) / kPlace; ++place)
      if (may_notice(machine, thread, place, writes_memory(next), held)) return false;
    return true;
  }
  // While it is held nobody can take it, and only attempts that fail can tell.
  if (next.kind == HEDDLE_MUTEX_UNLOCK) {
    for (uint32_t t = 0; t < lines_.size(); ++t) {
      const auto& operations = run_.threads[t].operations;
      const auto tells = [&](const Operation& other) {
        const bool gave_up = other.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT);
        return other.kind == HEDDLE_MUTEX_TRYLOCK && gave_up && machine.value(other.address) == address;
      };
      if (t != thread && std::any_of(operations.begin() + machine.position(t), operations.end(), tells)) return false;
    }
    return true;
  }
  if (next.kind == HEDDLE_COND_RESUME && may_notice(machine, thread, machine.value(next.mutex) / kPlace, true, held))
    return false;
  return !may_notice(machine, thread, address / kPlace, true, held);
}

}  // namespace heddle::reproduce
