// SPDX-License-Identifier: Apache-2.0
#include "reproduce/exploration.h"

#include <algorithm>

namespace heddle::reproduce {

using solve::Event;

namespace {

constexpr size_t kMostOperations = 4000;
constexpr size_t kDeepest = 3000;  // changes of turns

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

}  // namespace

bool Exploration::can_explore(const System& system) {
  return system.model() == schedule::MemoryModel::kSc && system.steps() <= kMostOperations;
}

Exploration::Exploration(const System& system)
    : system_(system),
      run_(system.run()),
      lines_(run_.threads.size()),
      before_(system.steps()),
      never_(system.steps(), false) {
  find_unreliable_locks();
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

bool Exploration::is_ready(const Machine& machine, OperationId id) const {
  const Event event = system_.event(id);
  if (never_[event]) return false;
  return std::all_of(before_[event].begin(), before_[event].end(),
                     [&](OperationId other) { return machine.position(other.thread) > other.index; });
}

bool Exploration::can_go_on(const Machine& machine, uint32_t thread) const {
  return machine.can_step(thread) && is_ready(machine, {thread, machine.position(thread)}) && machine.fits(thread);
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
      while (!machine.has_ended(t) && !machine.has_failed() && machine.can_step(t) &&
             is_ready(machine, {t, machine.position(t)}) && is_unnoticed(machine, t)) {
        // What it finds now it finds for ever.
        if (!machine.fits(t)) {
          if (!system_.may_come_later({t, machine.position(t)})) return false;
          break;
        }
        if (!step(machine, t) || (gave_up_ = patience_->is_over())) return false;
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
  uint64_t hash = machine.hash_of_objects();
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
  if (length > kDeepest || patience_->is_over()) gave_up_ = true;
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

Exploration::Outcome Exploration::run(base::Patience& patience) {
  patience_ = &patience;
  if (explore(Machine(run_, system_.model(), false))) return Outcome::kFound;
  return gave_up_ ? Outcome::kGaveUp : Outcome::kNone;
}

}  // namespace heddle::reproduce
