// SPDX-License-Identifier: Apache-2.0
#include "check/alternatives.h"

#include <algorithm>
#include <set>

#include "causal/operation.h"
#include "check/choice_values.h"

namespace heddle::check {

using causal::Alternative;
using causal::EventId;
using causal::Piece;
using causal::Segment;

namespace {

constexpr size_t kMostCombinations = 4096;

class Lister {
 public:
  Lister(const causal::Dependences& dependences, EventId event)
      : dependences_(dependences), event_(event), operation_(dependences.execution().operation(event)) {}

  Alternatives list() {
    if (causal::reads_memory(operation_)) {
      list_values();
    } else if (operation_.kind == HEDDLE_NONDET) {
      list_choices();
    } else {
      list_outcomes();
    }
    return std::move(result_);
  }

 private:
  void add(const HeddleRecord& operation) { result_.list.push_back({event_, operation}); }
  const HeddleRecord& before() const { return dependences_.execution().operation({event_.thread, event_.index - 1}); }

  // Of an operation on a lock or another object of synchronisation.
  void list_outcomes() {
    switch (semantics::effect_of(operation_)) {
      case HEDDLE_EFFECT_ACQUIRE:
      case HEDDLE_EFFECT_SHARE:
      case HEDDLE_EFFECT_TAKE: give_up_or_not(); break;
      case HEDDLE_EFFECT_DEPART: toggle(HEDDLE_FLAG_SERIAL); break;
      case HEDDLE_EFFECT_ENTER: {
        HeddleRecord other = operation_;
        other.value = !operation_.value;
        add(other);
        break;
      }
      case HEDDLE_EFFECT_RESUME:
      case HEDDLE_EFFECT_LEAVE: end_timed_wait_otherwise(); break;
      default: break;
    }
  }

  void give_up_or_not() {
    const HeddleForm form = semantics::form_of(operation_);
    if (form != HEDDLE_FORM_ATTEMPT && form != HEDDLE_FORM_TIMED) return;
    // A recursive mutex that the thread itself holds: no other thread has a say.
    const bool goes_deeper = semantics::family_of(operation_) == HEDDLE_FAMILY_MUTEX && operation_.value > 1;
    if (!goes_deeper) toggle(form == HEDDLE_FORM_ATTEMPT ? HEDDLE_FLAG_FAILED : HEDDLE_FLAG_TIMEOUT);
  }

  void toggle(uint8_t flag) {
    HeddleRecord other = operation_;
    other.flags ^= flag;
    if (!(other.flags & flag) && flag != HEDDLE_FLAG_SERIAL) other.value = 1;
    add(other);
  }

  // A timed wait for a word: woken or not. For a condition: woken (RESUME) or given up (LEAVE, then RESUME).
  void end_timed_wait_otherwise() {
    if (semantics::family_of(operation_) == HEDDLE_FAMILY_WORD) {
      if (before().flags & HEDDLE_FLAG_TIMED) toggle(HEDDLE_FLAG_TIMEOUT);
    } else if (operation_.kind == HEDDLE_COND_LEAVE) {
      HeddleRecord woken = operation_;
      woken.kind = HEDDLE_COND_RESUME;
      woken.flags = 0;
      woken.value = before().value;
      add(woken);
    } else if (semantics::effect_of(before()) == HEDDLE_EFFECT_WAIT && (before().flags & HEDDLE_FLAG_TIMED)) {
      HeddleRecord gave_up = operation_;
      gave_up.kind = HEDDLE_COND_LEAVE;
      gave_up.flags = HEDDLE_FLAG_TIMEOUT;
      gave_up.value = 0;
      add(gave_up);
    }
  }

  void list_choices() {
    const int64_t lowest = static_cast<int64_t>(operation_.address), highest = static_cast<int64_t>(operation_.value2);
    if (static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest) >= kMostChoiceValues) {
      result_.gaps.raise(HEDDLE_GAP_CHOICE_VALUES, std::to_string(kMostChoiceValues));
      return;
    }
    for (int64_t value = lowest; value <= highest; ++value) {
      if (static_cast<uint64_t>(value) == operation_.value) continue;
      HeddleRecord other = operation_;
      other.value = static_cast<uint64_t>(value);
      add(other);
    }
  }

  void list_values() {
    const std::span<const Segment> segments = dependences_.segments(event_);
    if (operation_.size > 8 && operation_.kind != HEDDLE_LOAD) {
      result_.gaps.raise(HEDDLE_GAP_NOT_EXPLORED, "a read-modify-write of 16 bytes");
      return;
    }
    std::vector<std::vector<uint64_t>> values;
    size_t combinations = 1;
    for (const Segment& segment : segments) {
      std::set<uint64_t> offered;
      for (const causal::Source& source : segment.sources) offered.insert(source.value);
      if (segment.initial_possible) {
        if (segment.initial) {
          offered.insert(*segment.initial);
        } else if (!segment.sources.empty()) {
          result_.gaps.raise(HEDDLE_GAP_REVERSALS_LEFT_OUT, "what memory held at first is not known");
        }
      }
      if (offered.empty()) offered.insert(recorded(segment));
      values.emplace_back(offered.begin(), offered.end());
      combinations *= offered.size();
      if (combinations > kMostCombinations) {
        result_.gaps.raise(HEDDLE_GAP_REVERSALS_LEFT_OUT, "a read that many partial writes overlap");
        return;
      }
    }
    std::vector<size_t> pick(segments.size(), 0);
    for (size_t n = 0; n < combinations; ++n) {
      add_value(segments, values, pick);
      for (size_t i = 0; i < pick.size() && ++pick[i] == values[i].size(); ++i) pick[i] = 0;
    }
  }

  uint64_t recorded(const Segment& segment) const {
    for (const Piece& piece : causal::pieces_read(operation_))
      if (piece.address <= segment.address && segment.address < piece.address + piece.size)
        return causal::slice(piece, segment.address, segment.size);
    return 0;
  }

  void add_value(std::span<const Segment> segments, const std::vector<std::vector<uint64_t>>& values,
                 const std::vector<size_t>& pick) {
    uint64_t halves[2] = {0, 0};
    for (size_t i = 0; i < segments.size(); ++i) {
      const uint64_t offset = segments[i].address - operation_.address;
      halves[offset / 8] |= values[i][pick[i]] << (8 * (offset % 8));
    }
    HeddleRecord other = operation_;
    other.value = halves[0];
    if (operation_.kind == HEDDLE_LOAD) {
      if (operation_.size > 8) other.value2 = halves[1];
      if (other.value != operation_.value || other.value2 != operation_.value2) add(other);
      return;
    }
    if (other.value == operation_.value) return;
    if (operation_.kind == HEDDLE_RMW) {
      other.value2 = 0;
    } else {  // CAS and AWAIT compare with what they expect
      const bool did_not_match = causal::failed(operation_);
      const uint64_t expected = operation_.kind == HEDDLE_AWAIT || did_not_match ? operation_.value2 : operation_.value;
      const bool matches = other.value == expected;
      other.flags =
          static_cast<uint8_t>(matches ? other.flags & ~HEDDLE_FLAG_FAILED : other.flags | HEDDLE_FLAG_FAILED);
      if (operation_.kind == HEDDLE_CAS) other.value2 = matches ? 0 : expected;
    }
    add(other);
  }

  const causal::Dependences& dependences_;
  const EventId event_;
  const HeddleRecord& operation_;
  Alternatives result_;
};

}  // namespace

Alternatives alternatives_of(const causal::Dependences& dependences, EventId event) {
  return Lister(dependences, event).list();
}

namespace {

// Would the round of `length` operations that begins again at `begin` be the
// same as the one before, with the alternative as the last thing it tells?
bool round_repeats(const std::vector<HeddleRecord>& operations, uint32_t begin, uint32_t length,
                   const Alternative& alternative) {
  const uint32_t index = alternative.event.index;
  if (index < begin || index >= begin + length) return false;
  const auto same = [](const HeddleRecord& one, const HeddleRecord& other) {
    return one.kind == other.kind && causal::lesson_of(one) == causal::lesson_of(other);
  };
  if (!same(alternative.operation, operations[index - length])) return false;
  for (uint32_t i = begin; i < index; ++i)
    if (causal::teaches(operations[i]) && !same(operations[i], operations[i - length])) return false;
  for (uint32_t i = index - length + 1; i < begin; ++i)
    if (causal::teaches(operations[i])) return false;
  return true;
}

}  // namespace

bool only_repeats(const causal::Execution& execution, const Alternative& alternative) {
  const auto& operations = execution.threads[alternative.event.thread].operations;
  auto look = execution.repeats.upper_bound(alternative.event);
  while (look != execution.repeats.begin()) {
    --look;
    if (look->first.thread != alternative.event.thread) return false;
    if (round_repeats(operations, look->first.index, look->second, alternative)) return true;
  }
  return false;
}

std::vector<Alternative> waited_for(const causal::Execution& execution, const causal::Waiting& waiting) {
  const uint32_t index = execution.length(waiting.thread);
  HeddleRecord operation = {};
  operation.kind = static_cast<uint8_t>(waiting.record.value2);
  operation.thread = waiting.thread;
  operation.index = index;
  operation.site = waiting.record.site;
  operation.address = waiting.record.address;
  const EventId event = {waiting.thread, index};
  if (!semantics::may_block(operation.kind)) return {};
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_SHARE: operation.value = 1; return {{event, operation}};
    case HEDDLE_EFFECT_TAKE: return {{event, operation}};
    case HEDDLE_EFFECT_RESUME: {
      if (semantics::family_of(operation) == HEDDLE_FAMILY_WORD) return {{event, operation}};
      if (index == 0) return {};
      const HeddleRecord& before = execution.operation({waiting.thread, index - 1});
      if (semantics::effect_of(before) != HEDDLE_EFFECT_WAIT)
        return {};  // it left the queue; its mutex is held for ever
      operation.value = before.value;
      return {{event, operation}};
    }
    case HEDDLE_EFFECT_ENTER: {
      HeddleRecord first = operation;
      first.value = 1;
      return {{event, operation}, {event, first}};
    }
    default: return {};
  }
}

}  // namespace heddle::check
