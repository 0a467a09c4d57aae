// SPDX-License-Identifier: Apache-2.0
#include "predict/observed_order.h"

#include <algorithm>

#include "causal/operation.h"
#include "predict/object_rules.h"

namespace heddle::predict {

using semantics::acquires;
using semantics::releases;

namespace {

bool is_atomic(const HeddleRecord& record) {
  return record.order != HEDDLE_ORDER_NOT_ATOMIC || record.kind == HEDDLE_AWAIT;
}
void join(std::vector<uint32_t>& clock, const std::vector<uint32_t>& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (size_t t = 0; t < other.size(); ++t) clock[t] = std::max(clock[t], other[t]);
}

// Calls `visit(word, bytes)` for each word of 8 bytes that the access touches.
template <typename Visit>
void for_each_word(const HeddleRecord& record, const Visit& visit) {
  const uint64_t end = record.address + record.size;
  for (uint64_t word = record.address / 8; word * 8 < end; ++word) {
    const uint64_t first = std::max(record.address, word * 8) - word * 8, last = std::min(end, word * 8 + 8) - word * 8;
    visit(word, static_cast<uint8_t>(((1u << (last - first)) - 1) << first));
  }
}

}  // namespace

ObservedOrder::ObservedOrder(size_t threads, property::RacyReads racy_reads)
    : racy_reads_order_(racy_reads == property::RacyReads::kOrder), states_(threads) {
  for (ThreadState& state : states_) state.clock = std::make_shared<Clock>(threads, 0);
}

void ObservedOrder::learn(uint32_t thread, const Clock& clock) {
  SharedClock& own = states_[thread].clock;
  bool is_new = false;
  for (size_t t = 0; t < clock.size(); ++t) is_new |= t != thread && clock[t] > (*own)[t];
  if (!is_new) return;
  if (own.use_count() > 1) own = std::make_shared<Clock>(*own);
  join(*own, clock);
}

void ObservedOrder::learn(uint32_t thread, const Point& point) {
  if (!point.clock || point.thread == thread || (*states_[thread].clock)[point.thread] >= point.length) return;
  Clock clock = *point.clock;
  clock[point.thread] = point.length;
  learn(thread, clock);
}

// What the thread has done and knows.
void ObservedOrder::add_to(Clock& clock, uint32_t thread) const {
  join(clock, *states_[thread].clock);
  clock[thread] = std::max(clock[thread], states_[thread].length);
}

void ObservedOrder::acquire(const Object& object, uint32_t thread) {
  const auto found = objects_.find(object);
  if (found != objects_.end()) learn(thread, found->second);
}

void ObservedOrder::apply(const HeddleRecord& record) {
  last_ = record.thread;
  ThreadState& state = states_[record.thread];
  state.length = record.index + 1;
  if (!state.late.empty()) {
    for (const Point& point : state.late) learn(record.thread, point);
    state.late.clear();
  }
  if (causal::reads_memory(record) || causal::writes_memory(record)) {
    access(record);
  } else if (record.kind == HEDDLE_FENCE) {
    use_fence(record);
  } else {
    synchronise(record);
  }
}

void ObservedOrder::synchronise(const HeddleRecord& record) {
  const uint64_t address = record.address;
  const uint32_t thread = record.thread;
  const bool names_thread = !gave_up(record) && record.value < states_.size();
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_CREATE:
      if (names_thread) states_[record.value].created = here(thread);
      return;
    case HEDDLE_EFFECT_START: return learn(thread, states_[thread].created);
    case HEDDLE_EFFECT_JOIN:
      if (names_thread) learn(thread, here(static_cast<uint32_t>(record.value)));
      return;
    case HEDDLE_EFFECT_POST: return release(object(Kind::kSemaphore, address), thread);
    case HEDDLE_EFFECT_TAKE:
      if (!gave_up(record)) acquire(object(Kind::kSemaphore, address), thread);
      return;
    case HEDDLE_EFFECT_ARRIVE: return release(object(Kind::kBarrier, address, record.value), thread);
    case HEDDLE_EFFECT_DEPART: return acquire(object(Kind::kBarrier, address, record.value), thread);
    case HEDDLE_EFFECT_ENTER: return acquire(object(Kind::kOnce, address), thread);
    case HEDDLE_EFFECT_FINISH: return release(object(Kind::kOnce, address), thread);
    case HEDDLE_EFFECT_NONE: break;
    default: return use_lock(record);
  }
  switch (record.kind) {
    case HEDDLE_ATOMIC_BEGIN: return acquire(object(Kind::kAtomic), thread);
    case HEDDLE_ATOMIC_END: return release(object(Kind::kAtomic), thread);
    case HEDDLE_SIGNAL_SEND: return release(object(Kind::kSignals), thread);
    case HEDDLE_SIGNAL_WAIT: return acquire(object(Kind::kSignals), thread);
    default: break;
  }
  if (semantics::family_of(record) != HEDDLE_FAMILY_DESCRIPTOR) return;
  acquire(object(Kind::kOutside), thread);
  release(object(Kind::kOutside), thread);
}

void ObservedOrder::use_lock(const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  const uint32_t thread = record.thread;
  switch (semantics::family_of(record)) {
    case HEDDLE_FAMILY_CONDITION:
      if (effect == HEDDLE_EFFECT_WAIT && !gave_up(record)) release(object(Kind::kMutex, record.value), thread);
      if (semantics::takes_mutex_back(record.kind, record.flags)) acquire(object(Kind::kMutex, record.value), thread);
      return;
    case HEDDLE_FAMILY_MUTEX:
      if (gave_up(record)) return;
      if (effect == HEDDLE_EFFECT_ACQUIRE) acquire(object(Kind::kMutex, record.address), thread);
      if (effect == HEDDLE_EFFECT_RELEASE && record.value == 0) release(object(Kind::kMutex, record.address), thread);
      return;
    case HEDDLE_FAMILY_RWLOCK: break;
    default: return;
  }
  if (gave_up(record)) return;
  const Object writers = object(Kind::kWriters, record.address), readers = object(Kind::kReaders, record.address);
  if (effect == HEDDLE_EFFECT_SHARE) acquire(writers, thread);
  if (effect == HEDDLE_EFFECT_ACQUIRE) {
    writers_[record.address] = thread;
    acquire(readers, thread);
    acquire(writers, thread);
  }
  if (effect != HEDDLE_EFFECT_RELEASE) return;
  const auto writer = writers_.find(record.address);
  const bool writes = writer != writers_.end() && writer->second == thread;
  if (writes) writers_.erase(writer);
  release(writes ? writers : readers, thread);
}

void ObservedOrder::use_fence(const HeddleRecord& record) {
  ThreadState& state = states_[record.thread];
  if (acquires(record.order)) learn(record.thread, state.collected);
  if (!releases(record.order)) return;
  state.fenced.clear();
  add_to(state.fenced, record.thread);
}

void ObservedOrder::access(const HeddleRecord& record) {
  ThreadState& state = states_[record.thread];
  Clock message;
  if (racy_reads_order_ && causal::reads_memory(record)) note_racy_read(record);
  if (is_atomic(record) && causal::reads_memory(record)) {
    for_each_word(record, [&](uint64_t word, uint8_t bytes) {
      const auto found = words_.find(word);
      if (found == words_.end()) return;
      for (const Message& known : found->second.messages)
        if (known.bytes & bytes) join(message, known.clock);
    });
    join(state.collected, message);
    if (acquires(record.order)) learn(record.thread, message);
  }
  if (!causal::writes_memory(record)) return;
  if (is_atomic(record)) {
    if (releases(record.order)) {
      add_to(message, record.thread);
    } else {
      join(message, state.fenced);
    }
  }
  write(record, message);
}

void ObservedOrder::note_racy_read(const HeddleRecord& record) {
  ThreadState& state = states_[record.thread];
  for_each_word(record, [&](uint64_t word, uint8_t bytes) {
    const auto found = words_.find(word);
    if (found == words_.end()) return;
    for (const Writer& writer : found->second.writers) {
      const Point& point = writer.point;
      if (!(writer.bytes & bytes) || point.thread == record.thread || (is_atomic(record) && !writer.is_plain)) continue;
      if ((*state.clock)[point.thread] < point.length) state.late.push_back(point);
    }
  });
}

void ObservedOrder::write(const HeddleRecord& record, const Clock& message) {
  if (!racy_reads_order_ && message.empty() && words_.empty()) return;
  const auto take_from = [](auto& list, uint8_t bytes) {
    for (auto& entry : list) entry.bytes &= static_cast<uint8_t>(~bytes);
    std::erase_if(list, [](const auto& entry) { return entry.bytes == 0; });
  };
  for_each_word(record, [&](uint64_t number, uint8_t bytes) {
    const auto found = message.empty() && !racy_reads_order_ ? words_.find(number) : words_.try_emplace(number).first;
    if (found == words_.end()) return;
    Word& word = found->second;
    take_from(word.messages, bytes);
    if (!message.empty()) word.messages.push_back({bytes, message});
    if (!racy_reads_order_) return;
    take_from(word.writers, bytes);
    word.writers.push_back({bytes, !is_atomic(record), here(record.thread)});
  });
}

}  // namespace heddle::predict
