// SPDX-License-Identifier: Apache-2.0
//
// Random small programs, run once under a random schedule: threads that are
// created and joined, locks (also held while a thread is created), a barrier,
// globals, and heap objects whose addresses are used again.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace heddle::propagate {

enum class Act : uint8_t {
  kCreate,
  kStart,
  kEnd,
  kJoin,
  kLock,
  kLockShared,
  kUnlock,
  kArrive,
  kLeave,
  kLoad,
  kStore,
  kExchange,
  kAllocate,
  kFree,
};

struct Step {
  Act act;
  uint32_t thread;
  uint32_t object = 0;  // child, lock, variable; heap objects count from kHeapObjects
  uint32_t offset = 0;  // 0 or 4; accesses have 4 bytes, or 8 at offset 0
  uint32_t size = 0;
  uint64_t value = 0;
  uint64_t address = 0;  // of a heap object
};

inline constexpr uint32_t kHeapObjects = 100;

// What happened, in order; empty if the threads blocked each other.
class RandomRun {
 public:
  explicit RandomRun(uint32_t seed) : random_(seed) { run(); }
  const std::vector<Step>& steps() const { return steps_; }
  uint32_t threads() const { return children_ + 1; }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  Step access(uint32_t thread, uint32_t object) {
    const uint32_t what = below(10);
    const Act act = what < 5 ? Act::kLoad : what < 9 ? Act::kStore : Act::kExchange;
    const uint32_t place = below(6);
    return {act, thread, object, place == 0 ? 4u : 0u, place == 1 ? 8u : 4u, 1u + below(2)};
  }

  void add_accesses(std::vector<Step>& program, uint32_t thread, uint32_t most) {
    for (uint32_t n = below(most + 1); n > 0; --n) program.push_back(access(thread, below(variables_)));
  }

  void add_section(std::vector<Step>& program, uint32_t thread, uint32_t lock, bool may_nest) {
    const bool is_shared = lock == 1 && chance(50);
    program.push_back({is_shared ? Act::kLockShared : Act::kLock, thread, lock});
    add_accesses(program, thread, may_nest ? 2 : 1);
    if (may_nest && chance(40)) add_section(program, thread, 1 - lock, false);
    program.push_back({Act::kUnlock, thread, lock});
  }

  void add_own_object(std::vector<Step>& program, uint32_t thread) {
    const uint32_t object = kHeapObjects + objects_++;
    program.push_back({Act::kAllocate, thread, object});
    program.push_back(access(thread, object));
    program.push_back({Act::kFree, thread, object});
  }

  std::vector<Step> child(uint32_t thread) {
    std::vector<Step> program{{Act::kStart, thread}};
    if (chance(40)) add_own_object(program, thread);
    if (chance(40)) add_accesses(program, thread, 1);
    if (chance(60)) add_section(program, thread, below(2), true);
    if (has_barrier_) {
      program.push_back({Act::kArrive, thread});
      program.push_back({Act::kLeave, thread});
      if (chance(60)) add_accesses(program, thread, 2);
    }
    if (shared_object_ && chance(40)) program.push_back(access(thread, shared_object_));
    program.push_back({Act::kEnd, thread});
    return program;
  }

  std::vector<Step> main_program() {
    std::vector<Step> program;
    if (shared_object_) program.push_back({Act::kAllocate, 0, shared_object_});
    add_accesses(program, 0, 2);
    const bool guards = chance(40);
    if (guards) program.push_back({Act::kLock, 0, below(2)});
    for (uint32_t i = 1; i <= children_; ++i) {
      program.push_back({Act::kCreate, 0, i});
      if (chance(20)) add_accesses(program, 0, 1);
      if (chance(15) && i < children_) {  // one after the other
        program.push_back({Act::kJoin, 0, i});
        joined_ |= 1u << i;
      }
    }
    if (guards) {
      add_accesses(program, 0, 1);
      for (size_t i = 0; i < program.size(); ++i) {
        if (program[i].act == Act::kLock) program.push_back({Act::kUnlock, 0, program[i].object});
      }
    }
    const bool frees_early = shared_object_ && chance(20);
    if (frees_early) program.push_back({Act::kFree, 0, shared_object_});
    for (uint32_t i = 1; i <= children_; ++i) {
      if (!(joined_ >> i & 1)) program.push_back({Act::kJoin, 0, i});
    }
    add_accesses(program, 0, 2);
    if (shared_object_ && !frees_early) program.push_back({Act::kFree, 0, shared_object_});
    return program;
  }

  void run() {
    children_ = 2 + below(2);
    variables_ = 1 + below(5);
    has_barrier_ = chance(30);
    if (chance(40)) shared_object_ = kHeapObjects + objects_++;
    programs_.push_back(main_program());
    for (uint32_t i = 1; i <= children_; ++i) programs_.push_back(child(i));
    if (has_barrier_ && joined_) return;  // would wait for ever
    next_.assign(threads(), 0);
    for (;;) {
      std::vector<uint32_t> ready;
      bool over = true;
      for (uint32_t t = 0; t < threads(); ++t) {
        if (next_[t] == programs_[t].size()) continue;
        over = false;
        if (can(programs_[t][next_[t]])) ready.push_back(t);
      }
      if (over) return;
      if (ready.empty()) return steps_.clear();
      const uint32_t thread = ready[below(static_cast<uint32_t>(ready.size()))];
      if (!perform(programs_[thread][next_[thread]++])) return steps_.clear();
    }
  }

  bool has_done(uint32_t thread, Act act) const {
    for (const Step& step : steps_)
      if (step.thread == thread && step.act == act) return true;
    return false;
  }
  bool can(const Step& step) const {
    switch (step.act) {
      case Act::kStart:
        for (const Step& done : steps_)
          if (done.act == Act::kCreate && done.object == step.thread) return true;
        return false;
      case Act::kJoin: return has_done(step.object, Act::kEnd);
      case Act::kLock: return writers_[step.object] == 0 && readers_[step.object] == 0;
      case Act::kLockShared: return writers_[step.object] == 0;
      case Act::kLeave:
        for (uint32_t t = 1; t < threads(); ++t)
          if (!has_done(t, Act::kArrive)) return false;
        return true;
      default: return true;
    }
  }

  // False where the program would use memory that is gone.
  bool perform(Step step) {
    switch (step.act) {
      case Act::kLock: ++writers_[step.object]; break;
      case Act::kLockShared: ++readers_[step.object]; break;
      case Act::kUnlock: (writers_[step.object] ? writers_[step.object] : readers_[step.object]) -= 1; break;
      case Act::kAllocate:
        if (free_.empty()) free_.push_back(0x50000 + 0x10 * addresses_++);
        step.address = free_.back();
        free_.pop_back();
        living_.resize(objects_, 0);
        living_[step.object - kHeapObjects] = step.address;
        break;
      case Act::kFree:
      case Act::kLoad:
      case Act::kStore:
      case Act::kExchange:
        if (step.object < kHeapObjects) break;
        step.address = living_[step.object - kHeapObjects];
        if (step.address == 0) return false;
        if (step.act != Act::kFree) break;
        free_.push_back(step.address);
        living_[step.object - kHeapObjects] = 0;
        break;
      default: break;
    }
    steps_.push_back(step);
    return true;
  }

  std::mt19937 random_;
  uint32_t children_ = 0, variables_ = 1, objects_ = 0, shared_object_ = 0, joined_ = 0, addresses_ = 0;
  bool has_barrier_ = false;
  std::vector<std::vector<Step>> programs_;
  std::vector<size_t> next_;
  uint32_t writers_[2] = {}, readers_[2] = {};
  std::vector<uint64_t> free_, living_;
  std::vector<Step> steps_;
};

}  // namespace heddle::propagate
