// SPDX-License-Identifier: Apache-2.0
//
// Which accesses of threads might race, and which of them were found to.
//
// What a thread does at one place of the source to one piece of memory is one
// *access*, however often it happens. Two accesses of different threads to a
// common byte are *rivals* if one writes and one is not atomic. Rivals that were
// always made under a common lock cannot race; that a lock is always held is
// looked at whenever the access is made, in executions and in the product alike.
// Races of the same two lines of the source are one.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/learn/automata.h"
#include "check/learn/state.h"

namespace heddle::check::learn {

struct Model;

using AccessId = uint32_t;  // 0: none

enum class RaceForm : uint8_t { kNone, kUnordered, kAtOnce };

struct Access {
  ThreadId thread = 0;
  uint32_t site = 0;
  uint64_t address = 0;
  uint8_t size = 0;
  bool writes = false, is_atomic = false;
  auto operator<=>(const Access&) const = default;
};

bool is_atomic(uint8_t kind, uint8_t order);

class Accesses {
 public:
  // `places`: by site, the number of its line.
  Accesses(const Model& model, const std::vector<uint32_t>& places) : model_(model), places_(places), known_(1) {}

  // The operation of the point has become known.
  void note(PointId id);
  // What happens at the point; of a compare-exchange, if it fails or not.
  AccessId of(PointId id, bool fails) const;
  const Access& operator[](AccessId id) const { return known_[id].access; }
  const std::vector<AccessId>& rivals(AccessId id) const { return known_[id].rivals; }
  size_t size() const { return known_.size(); }

  // The access is about to happen in this state: which locks does its thread hold?
  void note_locks(AccessId id, const State& state);

  // Could the rivals be found to race in a stronger form than so far?
  bool is_open(AccessId one, AccessId other, RaceForm form) const;
  bool has_open_rival(AccessId id, RaceForm form);
  void add_race(AccessId one, AccessId other, RaceForm form);
  // Of those that were found: an execution has shown this one. A checkpoint keeps these only.
  using Races = std::map<std::pair<uint32_t, uint32_t>, RaceForm>;  // by lines, the lower first
  void note_shown(AccessId one, AccessId other, RaceForm form);
  const Races& shown() const { return shown_; }
  void restore_shown(std::pair<uint32_t, uint32_t> lines, RaceForm form) {
    races_[lines] = shown_[lines] = form, ++version_;
  }

  // Since the last forget(): accesses became known to be rivals; an access was made without a lock that was always held
  // before.
  bool has_new_rivals() const { return has_new_rivals_; }
  bool has_lost_lock() const { return has_lost_lock_; }
  void forget() { has_new_rivals_ = has_lost_lock_ = false; }

 private:
  struct Known {
    Access access;
    bool has_happened = false;
    std::vector<AccessId> rivals;
    std::vector<uint32_t> locks;  // slots of those that its thread always held
    // Has it an open rival? As of this version.
    uint64_t version = 0;
    RaceForm form = RaceForm::kNone;
    bool is_open = false;
  };
  struct AtPoint {
    AccessId usual = 0, failing = 0;
  };
  AccessId number(const Access& access);
  bool share_a_lock(AccessId one, AccessId other) const;
  bool holds(const State& state, ThreadId thread, uint32_t lock) const;
  std::pair<uint32_t, uint32_t> places_of(AccessId one, AccessId other) const;

  const Model& model_;
  const std::vector<uint32_t> places_;
  std::vector<Known> known_;
  std::map<Access, AccessId> numbers_;
  std::unordered_map<uint64_t, std::vector<AccessId>> words_;
  std::vector<AtPoint> points_;
  std::vector<uint32_t> locks_;  // slots
  Races races_, shown_;
  uint64_t version_ = 1;  // grows with what is known
  bool has_new_rivals_ = false, has_lost_lock_ = false;
};

}  // namespace heddle::check::learn
