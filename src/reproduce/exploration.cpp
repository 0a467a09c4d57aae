// SPDX-License-Identifier: Apache-2.0
#include "reproduce/exploration.h"

#include <time.h>

#include <algorithm>

namespace heddle::reproduce {

using solve::Event;
using solve::Term;

namespace {

constexpr size_t kMostOperations = 4000;
constexpr size_t kDeepest = 3000;  // changes of turns
constexpr uint64_t kPlace = 8;

// Of the CPU: what is found must not depend on what else the machine does.
double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

bool is_access(const Operation& operation) { return reads_memory(operation) || writes_memory(operation); }

bool takes_lock(const Operation& operation) {
  return !(operation.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT)) &&
         (operation.kind == HEDDLE_MUTEX_LOCK || operation.kind == HEDDLE_MUTEX_TRYLOCK || operation.kind == HEDDLE_MUTEX_TIMEDLOCK);
}

// Operations that concern their thread alone, or threads that can do nothing before them.
bool is_private(const Operation& operation) {
  switch (operation.kind) {
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END:
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_ALLOC:
    case HEDDLE_FREE:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_FENCE: return true;
    default: return false;
  }
}

}  // namespace

bool Exploration::can_explore(const System& system) {
  return system.model() == schedule::MemoryModel::kSc && system.steps() <= kMostOperations;
}

Exploration::Exploration(const System& system)
    : system_(system), run_(system.run()), lines_(run_.threads.size()), before_(system.steps()), never_(system.steps(), false) {
  for (uint32_t t = 0; t < lines_.size(); ++t) prepare(t);
  for (const solve::Edge& edge : system.closure().edges()) {
    if (edge.after >= system.steps()) continue;
    const OperationId one = system.operation(edge.before), two = system.operation(edge.after);
    if (edge.before >= system.steps()) {
      never_[edge.after] = true;
    } else if (one.thread != two.thread) {
      before_[edge.after].push_back(one);
    }
  }
}

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

bool Exploration::is_ready(const Machine& machine, OperationId id) const {
  const Event event = system_.event(id);
  if (never_[event]) return false;
  return std::all_of(before_[event].begin(), before_[event].end(),
                     [&](OperationId other) { return machine.position(other.thread) > other.index; });
}

bool Exploration::can_go_on(const Machine& machine, uint32_t thread) const {
  return machine.can_step(thread) && is_ready(machine, {thread, machine.position(thread)}) && machine.fits(thread);
}

bool Exploration::may_notice(const Machine& machine, uint32_t thread, uint64_t place, bool writes, uint64_t held) const {
  const auto notices = [&](const std::vector<Touch>& touches, uint32_t position) {
    auto touch = std::lower_bound(touches.begin(), touches.end(), position, [](const Touch& a, uint32_t index) { return a.index < index; });
    return std::any_of(touch, touches.end(), [&](const Touch& other) { return (writes || other.writes) && !(other.held & held); });
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
        return other.kind == HEDDLE_MUTEX_TRYLOCK && other.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT) && machine.value(other.address) == address;
      };
      if (t != thread && std::any_of(operations.begin() + machine.position(t), operations.end(), tells)) return false;
    }
    return true;
  }
  if (next.kind == HEDDLE_COND_RESUME && may_notice(machine, thread, machine.value(next.mutex) / kPlace, true, held)) return false;
  return !may_notice(machine, thread, address / kPlace, true, held);
}

bool Exploration::step(Machine& machine, uint32_t thread) {
  order_.push_back({{thread, machine.position(thread)}, false});
  machine.step(thread);
  return machine.broken().empty();
}

bool Exploration::settle(Machine& machine) {
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t t = 0; t < lines_.size(); ++t) {
      while (!machine.has_ended(t) && !machine.has_failed() && machine.can_step(t) && is_ready(machine, {t, machine.position(t)}) &&
             is_unnoticed(machine, t)) {
        // What it finds now it finds for ever.
        if (!machine.fits(t)) {
          if (!system_.may_come_later({t, machine.position(t)})) return false;
          break;
        }
        if (!step(machine, t)) return false;
        moved = true;
      }
    }
  }
  return true;
}

bool Exploration::is_done(const Machine& machine) const {
  if (run_.failing_thread != kNobody) return machine.has_failed();
  for (uint32_t t = 0; t < lines_.size(); ++t)
    if (!machine.has_ended(t)) return false;
  return true;
}

uint64_t Exploration::key(const Machine& machine) const {
  uint64_t hash = machine.hash_of_waits();
  bool reads_anywhere = false;
  for (uint32_t t = 0; t < lines_.size(); ++t) {
    const uint32_t position = machine.position(t);
    hash = mixed(hash, position);
    reads_anywhere |= lines_[t].last_read_anywhere > position;
    for (const Use& use : lines_[t].uses) {
      if (use.read >= position) break;
      if (use.last_use >= position) hash = mixed(hash, machine.value(use.symbol));
    }
  }
  uint64_t memory = 0;  // in no order
  machine.for_each_byte([&](uint64_t address, uint8_t value) {
    const auto will_read = [&](uint32_t t) {
      const auto last = lines_[t].last_reads.find(address / kPlace);
      return last != lines_[t].last_reads.end() && last->second >= machine.position(t);
    };
    bool matters = reads_anywhere;
    for (uint32_t t = 0; !matters && t < lines_.size(); ++t) matters = will_read(t);
    if (matters && value) memory += mixed(mixed(0, address), value);
  });
  return mixed(hash, memory);
}

double Exploration::fraction(const Machine& machine, uint32_t thread) const {
  return static_cast<double>(machine.position(thread)) / static_cast<double>(run_.threads[thread].operations.size());
}

bool Exploration::explore(Machine machine) {
  const size_t length = order_.size();
  const auto go_back = [&] {
    order_.resize(length);
    return false;
  };
  if (!settle(machine)) return go_back();
  if (is_done(machine)) return true;
  if (!seen_.insert(key(machine)).second) return go_back();
  if (now() > end_ || length > kDeepest) gave_up_ = true;
  if (gave_up_) return go_back();
  std::vector<uint32_t> able;
  for (uint32_t t = 0; t < lines_.size(); ++t)
    if (can_go_on(machine, t)) able.push_back(t);
  std::sort(able.begin(), able.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(fraction(machine, a), a) < std::pair(fraction(machine, b), b);
  });
  for (const uint32_t t : able) {
    const size_t here = order_.size();
    Machine next = machine;
    if (step(next, t) && (is_done(next) || explore(std::move(next)))) return true;
    order_.resize(here);
    if (gave_up_) break;
  }
  return go_back();
}

Exploration::Outcome Exploration::run(double seconds) {
  end_ = now() + seconds;
  if (explore(Machine(run_, system_.model(), false))) return Outcome::kFound;
  return gave_up_ ? Outcome::kGaveUp : Outcome::kNone;
}

}  // namespace heddle::reproduce
