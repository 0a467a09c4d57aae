// SPDX-License-Identifier: Apache-2.0
#include "predict/window.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "causal/operation.h"
#include "causal/sections.h"
#include "predict/object_rules.h"
#include "semantics/record_operation.h"
#include "trace/kinds.h"

namespace heddle::predict {

namespace {

// No object of the program lies there.
constexpr uint64_t kAddedBarrier = 0xffff'ffff'ffff'fff0;

class Maker {
 public:
  Maker(const trace::Trace& trace, size_t begin, size_t end, const CarriedState& state)
      : trace_(trace),
        begin_(begin),
        end_(end),
        state_(state),
        first(state.threads(), ~0u),
        added(state.threads(), 0),
        places(state.threads()),
        next_(state.threads(), 0),
        exists_(state.threads(), false),
        is_created_(state.threads(), false),
        is_cut_off_(state.threads(), false) {}

  std::vector<HeddleRecord> make() {
    survey();
    add_what_is_held();
    if (needs_barrier_) add_barrier();
    for (uint32_t t = 0; t < state_.threads(); ++t) added[t] = next_[t];
    for (size_t at = begin_; at < end_; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (!trace::is_visible(record) || is_cut_off_[record.thread]) continue;
      if (first[record.thread] == ~0u) first[record.thread] = record.index;
      const HeddleRecord here = as_seen_here(record);
      if (is_cut_off_[record.thread]) continue;
      places[record.thread].push_back(at);
      add(record.thread, here);
    }
    for (uint32_t t = 0; t < state_.threads(); ++t)
      if (first[t] == ~0u) first[t] = 0;
    return std::move(records_);
  }

  // Memory before the window: as carried, and what reads find that nobody wrote.
  causal::MemoryImage image() const {
    causal::MemoryImage image;
    causal::MemoryImage written;
    for (size_t at = begin_; at < end_; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (!trace::is_visible(record)) continue;
      const bool reads = causal::reads_memory(record), writes = causal::writes_memory(record);
      if (!reads && !writes) continue;
      const bool tells = reads || (record.kind == HEDDLE_STORE && (record.flags & HEDDLE_FLAG_REPLACED));
      for (uint32_t byte = 0; byte < record.size; ++byte) {
        const uint64_t address = record.address + byte;
        if (written.at(address, 1)) continue;
        if (const auto known = state_.memory().at(address, 1)) {
          image.learn(address, 1, *known);
        } else if (tells && (byte < 8 || record.kind == HEDDLE_LOAD)) {
          const uint64_t low = reads ? record.value : record.value2;
          image.learn(address, 1, byte < 8 ? low >> (8 * byte) & 0xff : record.value2 >> (8 * (byte - 8)) & 0xff);
        }
        if (writes) written.store(address, 1, 0);
      }
    }
    return image;
  }

 private:
  HeddleRecord& add(uint32_t thread, HeddleRecord record) {
    record.thread = thread;
    record.index = next_[thread]++;
    records_.push_back(record);
    return records_.back();
  }
  HeddleRecord& add(uint32_t thread, HeddleKind kind, uint64_t address, uint64_t value) {
    HeddleRecord record = {};
    record.kind = static_cast<uint8_t>(kind);
    record.address = address;
    record.value = value;
    return add(thread, record);
  }

  // Which threads are there from the beginning, and which objects occur.
  void survey() {
    for (size_t at = begin_; at < end_; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (!trace::is_visible(record)) continue;
      if (!is_created_[record.thread]) exists_[record.thread] = true;
      if (semantics::effect_of(record) == HEDDLE_EFFECT_CREATE && !semantics::gave_up(record) &&
          record.value < is_created_.size())
        is_created_[record.value] = true;
      if (causal::reads_memory(record) || causal::writes_memory(record)) continue;
      used_.insert(record.address);
      if (has_mutex(record)) used_.insert(record.value);
      if (record.kind == HEDDLE_FREE) freed_.push_back({record.thread, record.address});
    }
  }

  void add_what_is_held() {
    for (uint32_t t = 0; t < state_.threads(); ++t) {
      const CarriedState::ThreadState& thread = state_.thread(t);
      if (thread.wait == CarriedState::Wait::kForSignal && used_.count(thread.wait_began.address)) {
        add(t, HEDDLE_MUTEX_LOCK, thread.wait_began.value, 1).value2 = semantics::type_of(thread.wait_began);
        HeddleRecord wait = thread.wait_began;
        wait.flags = 0;
        add(t, wait);
        participate(t);
      }
      for (const HeddleRecord& acquired : thread.held) {
        const causal::SectionStep step = causal::section_step(acquired);
        if (!used_.count(step.lock)) continue;
        const bool is_mutex = has_mutex(acquired);  // of a condition wait that ended
        const uint8_t kind = is_mutex ? uint8_t{HEDDLE_MUTEX_LOCK} : semantics::blocking_form(acquired.kind);
        add(t, static_cast<HeddleKind>(kind), step.lock, 1).value2 = semantics::type_of(acquired);
        participate(t);
      }
    }
    for (const auto& [address, barrier] : state_.barriers()) {
      if (!used_.count(address)) continue;
      add(0, HEDDLE_BARRIER_INIT, address, barrier.count);
      for (const uint32_t thread : barrier.arrived) {
        add(thread, HEDDLE_BARRIER_ARRIVE, address, rounds_[{thread, address}]++);
        participate(thread);
      }
      participate(0);
    }
    for (const auto& [thread, address] : freed_)
      if (const uint64_t size = state_.block_size(address)) add(thread, HEDDLE_ALLOC, address, size);
  }

  void participate(uint32_t thread) {
    exists_[thread] = true;
    needs_barrier_ = true;
  }

  void add_barrier() {
    std::vector<uint32_t> present;
    for (uint32_t t = 0; t < state_.threads(); ++t)
      if (exists_[t]) present.push_back(t);
    if (present.size() < 2) return;
    add(present.front(), HEDDLE_BARRIER_INIT, kAddedBarrier, present.size());
    for (const uint32_t t : present) add(t, HEDDLE_BARRIER_ARRIVE, kAddedBarrier, 0);
    for (const uint32_t t : present)
      if (HeddleRecord& leave = add(t, HEDDLE_BARRIER_LEAVE, kAddedBarrier, 0); t == present.back())
        leave.flags = HEDDLE_FLAG_SERIAL;
  }

  static HeddleRecord needing_nothing(HeddleRecord record) {
    record.kind = HEDDLE_YIELD;
    record.address = record.value = record.value2 = 0;
    record.flags = 0;
    return record;
  }

  HeddleRecord as_seen_here(HeddleRecord record) {
    const CarriedState::ThreadState& before = state_.thread(record.thread);
    switch (semantics::effect_of(record)) {
      case HEDDLE_EFFECT_START:
        if (!is_created_[record.thread]) return needing_nothing(record);
        break;
      case HEDDLE_EFFECT_JOIN:
        if (record.value < state_.threads() && state_.thread(static_cast<uint32_t>(record.value)).has_ended)
          return needing_nothing(record);
        break;
      case HEDDLE_EFFECT_RESUME:
        if (!places[record.thread].empty()) break;
        if (has_mutex(record) && before.wait == CarriedState::Wait::kWoken) {
          record.value2 = semantics::type_of(record);
          record.kind = HEDDLE_MUTEX_LOCK;
          record.address = record.value;
          record.value = 1;
          record.flags = 0;
        } else if (before.wait == CarriedState::Wait::kForWord) {
          is_cut_off_[record.thread] = true;
        }
        break;
      case HEDDLE_EFFECT_ARRIVE: record.value = rounds_[{record.thread, record.address}]++; break;
      case HEDDLE_EFFECT_DEPART: {
        const uint64_t rounds = rounds_[{record.thread, record.address}];
        if (rounds == 0) return needing_nothing(record);
        record.value = rounds - 1;
        break;
      }
      case HEDDLE_EFFECT_ENTER:
        if (!record.value && state_.is_initialised(record.address)) return needing_nothing(record);
        break;
      default: break;
    }
    return record;
  }

  struct PairHash {
    size_t operator()(const std::pair<uint32_t, uint64_t>& pair) const { return pair.first * 0x9e3779b9 ^ pair.second; }
  };

  const trace::Trace& trace_;
  const size_t begin_, end_;
  const CarriedState& state_;

 public:
  std::vector<uint32_t> first, added;
  std::vector<std::vector<size_t>> places;

 private:
  std::vector<uint32_t> next_;
  std::vector<bool> exists_, is_created_, is_cut_off_;
  bool needs_barrier_ = false;
  std::unordered_set<uint64_t> used_;
  std::vector<std::pair<uint32_t, uint64_t>> freed_;
  std::unordered_map<std::pair<uint32_t, uint64_t>, uint64_t, PairHash> rounds_;  // arrivals of a thread at a barrier
  std::vector<HeddleRecord> records_;
};

}  // namespace

Window::Window(const trace::Trace& trace, size_t begin, size_t end, const CarriedState& state,
               causal::ThreadTable& threads)
    : trace_(trace), begin_(begin) {
  Maker maker(trace, begin, end, state);
  const std::vector<HeddleRecord> records = maker.make();
  first_ = std::move(maker.first);
  added_ = std::move(maker.added);
  places_ = std::move(maker.places);
  causal::Histories histories;
  execution_ = std::make_unique<causal::Execution>(
      causal::make_execution(records, trace.threads, trace::Ending(), threads, histories));
  execution_->initial = maker.image();
}

std::vector<property::PlannedStep> Window::translate(std::span<const property::PlannedStep> plan) const {
  std::vector<property::PlannedStep> result;
  for (property::PlannedStep step : plan) {
    if (is_added(step.event)) continue;
    const uint32_t place = step.event.index - added_[step.event.thread];
    step.event = outside(step.event);
    if (step.kind != schedule::StepKind::kWake && step.kind != schedule::StepKind::kFlush)
      step = property::step_of(step.event, trace_.events[places_[step.event.thread][place]].record);
    result.push_back(step);
  }
  return result;
}

size_t end_of_window(const trace::Trace& trace, size_t begin, size_t size) {
  const size_t all = trace.events.size();
  size_t end = size < all - begin ? begin + size : all;
  const auto kind_at = [&](size_t at) { return trace.events[at].record.kind; };
  // An atomic section: only its own thread has events until it ends.
  size_t open = 0;
  for (size_t at = begin; at < end; ++at) {
    if (kind_at(at) == HEDDLE_ATOMIC_BEGIN) ++open;
    if (kind_at(at) == HEDDLE_ATOMIC_END && open) --open;
  }
  for (; end < all && (open || kind_at(end) == HEDDLE_EXTERN_WRITE || !trace::is_visible(trace.events[end].record));
       ++end) {
    if (kind_at(end) == HEDDLE_ATOMIC_END && open) --open;
    if (kind_at(end) == HEDDLE_ATOMIC_BEGIN) ++open;
  }
  return end;
}

}  // namespace heddle::predict
