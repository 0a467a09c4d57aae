// SPDX-License-Identifier: Apache-2.0
#include "property/happens_before.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::property {

using causal::EventId;
using causal::ThreadId;
using semantics::acquires;
using semantics::releases;

namespace {

bool is_atomic(const HeddleRecord& access) {
  return access.order != HEDDLE_ORDER_NOT_ATOMIC || access.kind == HEDDLE_AWAIT;
}

bool overlap(const HeddleRecord& one, const HeddleRecord& other) {
  return one.address < other.address + other.size && other.address < one.address + one.size;
}

}  // namespace

bool conflict(const HeddleRecord& one, const HeddleRecord& other) {
  return causal::accesses_memory(one) && causal::accesses_memory(other) && one.thread != other.thread &&
         overlap(one, other) && (causal::writes_memory(one) || causal::writes_memory(other)) &&
         !(is_atomic(one) && is_atomic(other));
}

HappensBefore::HappensBefore(const causal::Execution& execution, std::span<const causal::Happening> order,
                             causal::MemoryModel model, RacyReads racy_reads)
    : execution_(execution),
      model_(model),
      racy_reads_order_(racy_reads == RacyReads::kOrder),
      threads_(execution.threads.size()),
      states_(threads_),
      created_by_(threads_) {
  for (const causal::Happening& happening : order)
    happening.is_flush ? flush(happening.event) : perform(happening.event);
}

HappensBefore::Object HappensBefore::object(ObjectKind kind, uint64_t address, uint64_t round) {
  return {static_cast<uint64_t>(kind), address, round};
}

// Of each thread the last one is enough: it knows what the others knew.
void HappensBefore::keep(std::vector<Release>& releases, const Release& release) {
  for (Release& known : releases) {
    if (known.event.thread != release.event.thread) continue;
    if (known.event.index < release.event.index) known = release;
    return;
  }
  releases.push_back(release);
}

void HappensBefore::release(const Object& object, EventId event) { keep(objects_[object], {event}); }

void HappensBefore::acquire(const Object& object, EventId event) {
  const auto found = objects_.find(object);
  if (found == objects_.end()) return;
  for (const Release& known : found->second) learn(event, known);
}

void HappensBefore::learn(EventId event, const Release& release) {
  uint32_t* own = own_clock(event);
  if (own[release.event.thread] > release.event.index) return;
  const uint32_t* theirs = clock(release.event);
  for (size_t t = 0; t < threads_; ++t) own[t] = std::max(own[t], theirs[t]);
  learned_[event].push_back(release);
}

void HappensBefore::perform(EventId event) {
  const HeddleRecord& operation = execution_.operation(event);
  std::vector<uint32_t>& clocks = states_[event.thread].clocks;
  HEDDLE_CHECK(clocks.size() == event.index * threads_, "operations of a thread come in order");
  clocks.resize(clocks.size() + threads_, 0);
  if (event.index > 0)
    std::copy_n(clocks.end() - static_cast<ptrdiff_t>(2 * threads_), threads_,
                clocks.end() - static_cast<ptrdiff_t>(threads_));
  own_clock(event)[event.thread] = event.index + 1;
  for (const Release& known : states_[event.thread].late) learn(event, known);
  states_[event.thread].late.clear();
  if (causal::accesses_memory(operation)) {
    accesses_.push_back(event);
    access_memory(event, operation);
  } else if (operation.kind == HEDDLE_FENCE) {
    use_fence(event, operation.order);
  } else {
    synchronise(event, operation);
  }
}

void HappensBefore::synchronise(EventId event, const HeddleRecord& operation) {
  const uint64_t address = operation.address;
  switch (semantics::family_of(operation)) {
    case HEDDLE_FAMILY_THREAD: use_thread(event, operation); break;
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK: use_lock(event, operation); break;
    case HEDDLE_FAMILY_CONDITION: use_mutex_of_condition(event, operation); break;
    case HEDDLE_FAMILY_SEMAPHORE: pass_on(object(ObjectKind::kSemaphore, address), event, operation); break;
    case HEDDLE_FAMILY_BARRIER:
      pass_on(object(ObjectKind::kBarrier, address, operation.value), event, operation);
      break;
    case HEDDLE_FAMILY_ONCE: pass_on(object(ObjectKind::kOnce, address), event, operation); break;
    case HEDDLE_FAMILY_PROGRAM:
      if (operation.kind == HEDDLE_ATOMIC_BEGIN) acquire(object(ObjectKind::kAtomic), event);
      if (operation.kind == HEDDLE_ATOMIC_END) release(object(ObjectKind::kAtomic), event);
      break;
    case HEDDLE_FAMILY_SIGNAL:
      if (operation.kind == HEDDLE_SIGNAL_SEND) release(object(ObjectKind::kSignals), event);
      if (operation.kind == HEDDLE_SIGNAL_WAIT) acquire(object(ObjectKind::kSignals), event);
      break;
    case HEDDLE_FAMILY_DESCRIPTOR:
      acquire(object(ObjectKind::kOutside), event);
      release(object(ObjectKind::kOutside), event);
      break;
    default: break;
  }
}

void HappensBefore::use_thread(EventId event, const HeddleRecord& operation) {
  const bool has_other = !semantics::gave_up(operation) && operation.value < threads_;
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_CREATE:
      if (has_other) created_by_[operation.value] = event;
      break;
    case HEDDLE_EFFECT_START:
      if (event.thread != causal::kMainThread) learn(event, {created_by_[event.thread]});
      break;
    case HEDDLE_EFFECT_JOIN:
      if (has_other) {
        const ThreadId joined = static_cast<ThreadId>(operation.value);
        const size_t done = states_[joined].clocks.size() / threads_;
        if (done > 0) learn(event, {{joined, static_cast<uint32_t>(done - 1)}});
      }
      break;
    default: break;
  }
}

// Semaphores, barriers, one-time initialisations: some threads tell, others learn.
void HappensBefore::pass_on(const Object& object, EventId event, const HeddleRecord& operation) {
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_POST:
    case HEDDLE_EFFECT_ARRIVE:
      if (!semantics::gave_up(operation)) release(object, event);
      break;
    case HEDDLE_EFFECT_FINISH: release(object, event); break;  // whoever runs it again knows what failed
    case HEDDLE_EFFECT_TAKE:
    case HEDDLE_EFFECT_DEPART:
    case HEDDLE_EFFECT_ENTER:
      if (!semantics::gave_up(operation)) acquire(object, event);
      break;
    default: break;
  }
}

void HappensBefore::use_mutex_of_condition(EventId event, const HeddleRecord& operation) {
  const Object mutex = object(ObjectKind::kMutex, operation.value);
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_WAIT:
      if (!semantics::gave_up(operation)) release(mutex, event);
      break;
    case HEDDLE_EFFECT_RESUME: acquire(mutex, event); break;
    default: break;
  }
}

void HappensBefore::use_lock(EventId event, const HeddleRecord& operation) {
  if (semantics::gave_up(operation)) return;
  const bool is_mutex = semantics::family_of(operation) == HEDDLE_FAMILY_MUTEX;
  const Object writers = object(is_mutex ? ObjectKind::kMutex : ObjectKind::kWriters, operation.address);
  const Object readers = object(ObjectKind::kReaders, operation.address);
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_ACQUIRE:
      if (!is_mutex) {
        writers_[operation.address] = event.thread;
        acquire(readers, event);
      }
      acquire(writers, event);
      break;
    case HEDDLE_EFFECT_SHARE: acquire(writers, event); break;
    case HEDDLE_EFFECT_RELEASE: {
      if (is_mutex) {
        if (operation.value == 0) release(writers, event);
        break;
      }
      const auto writer = writers_.find(operation.address);
      const bool writes = writer != writers_.end() && writer->second == event.thread;
      if (writes) writers_.erase(writer);
      release(writes ? writers : readers, event);
      break;
    }
    default: break;
  }
}

void HappensBefore::use_fence(EventId event, uint8_t order) {
  ThreadState& state = states_[event.thread];
  if (acquires(order))
    for (const Release& known : state.collected) learn(event, known);
  if (releases(order)) state.release = {{event}};
}

// What the bytes that the access takes from memory bring along.
std::vector<HappensBefore::Release> HappensBefore::found_by(EventId event, const HeddleRecord& access) {
  std::vector<Release> found;
  std::vector<EventId> writes;
  for (uint64_t byte = access.address; byte < access.address + access.size; ++byte) {
    const auto message = bytes_.find(byte);
    if (message == bytes_.end()) continue;
    const EventId write = message->second.write;
    if (std::find(writes.begin(), writes.end(), write) != writes.end()) continue;
    writes.push_back(write);
    for (const Release& known : message->second.releases) {
      chains_.push_back({{write, event}, known.chain});
      keep(found, {known.event, static_cast<uint32_t>(chains_.size() - 1)});
    }
  }
  return found;
}

void HappensBefore::note_racy_read(EventId event, const HeddleRecord& access) {
  std::vector<EventId> writes;
  for (uint64_t byte = access.address; byte < access.address + access.size; ++byte) {
    const auto message = bytes_.find(byte);
    if (message == bytes_.end()) continue;
    const EventId write = message->second.write;
    if (write.thread == event.thread || (is_atomic(access) && is_atomic(execution_.operation(write)))) continue;
    if (std::find(writes.begin(), writes.end(), write) != writes.end()) continue;
    writes.push_back(write);
    chains_.push_back({{write, event}, kNoChain});
    states_[event.thread].late.push_back({write, static_cast<uint32_t>(chains_.size() - 1)});
  }
}

void HappensBefore::access_memory(EventId event, const HeddleRecord& access) {
  ThreadState& state = states_[event.thread];
  Message message{event, {}};
  if (racy_reads_order_ && causal::reads_memory(access)) note_racy_read(event, access);
  if (is_atomic(access) && causal::reads_memory(access)) {
    const bool forwarded = std::any_of(state.buffer.begin(), state.buffer.end(), [&](const Buffered& store) {
      return overlap(execution_.operation(store.event), access);
    });
    if (!forwarded) message.releases = found_by(event, access);
    for (const Release& known : message.releases) {
      keep(state.collected, known);
      if (acquires(access.order)) learn(event, known);
    }
  }
  if (!causal::writes_memory(access)) return;
  if (is_atomic(access)) {
    if (releases(access.order)) {
      keep(message.releases, {event});
    } else if (!state.release.empty()) {
      keep(message.releases, state.release.front());
    }
  }
  if (causal::is_buffered(access, model_)) {
    state.buffer.push_back({event, std::move(message)});
  } else {
    write(access, message);
  }
}

void HappensBefore::flush(EventId event) {
  std::vector<Buffered>& buffer = states_[event.thread].buffer;
  const auto store =
      std::find_if(buffer.begin(), buffer.end(), [&](const Buffered& other) { return other.event == event; });
  if (store == buffer.end()) return;
  write(execution_.operation(event), store->message);
  buffer.erase(store);
}

void HappensBefore::write(const HeddleRecord& access, const Message& message) {
  for (uint64_t byte = access.address; byte < access.address + access.size; ++byte) {
    if (message.releases.empty() && !racy_reads_order_) {
      bytes_.erase(byte);
    } else {
      bytes_[byte] = message;
    }
  }
}

std::vector<Synchronisation> HappensBefore::path(EventId a, EventId b) const {
  std::vector<Synchronisation> path;
  while (b.thread != a.thread) {
    // The first operation of this thread that knew of `a`, and who told it.
    while (b.index > 0 && before(a, {b.thread, b.index - 1})) --b.index;
    const auto told = learned_.find(b);
    HEDDLE_CHECK(told != learned_.end(), "somebody told the thread");
    const auto source = std::find_if(told->second.begin(), told->second.end(), [&](const Release& release) {
      return release.event == a || before(a, release.event);
    });
    HEDDLE_CHECK(source != told->second.end(), "somebody told the thread");
    Synchronisation step{source->event, b, {}};
    for (uint32_t chain = source->chain; chain != kNoChain; chain = chains_[chain].previous)
      step.reads.insert(step.reads.begin(), chains_[chain].last);
    path.insert(path.begin(), step);
    b = source->event;
  }
  return path;
}

std::vector<std::pair<EventId, EventId>> HappensBefore::races() const {
  std::vector<std::pair<EventId, EventId>> races;
  // By word: of each thread and site the last access of a kind. If an earlier
  // one is not ordered with what comes later, neither is the last one.
  struct Last {
    uint32_t thread, site;
    uint64_t address;
    uint8_t kind, size, order, flags;
    auto operator<=>(const Last&) const = default;
  };
  std::unordered_map<uint64_t, std::map<Last, EventId>> words;
  std::set<std::array<uint64_t, 5>> seen;  // word, threads and sites
  for (const EventId event : accesses_) {
    const HeddleRecord& access = execution_.operation(event);
    for (uint64_t word = access.address / 8; word <= (access.address + access.size - 1) / 8; ++word) {
      auto& earlier = words[word];
      for (const auto& [key, other] : earlier) {
        if (key.thread == event.thread || !conflict(execution_.operation(other), access) || before(other, event))
          continue;
        if (seen.insert({word, key.thread, key.site, event.thread, access.site}).second)
          races.push_back({other, event});
      }
      earlier[{event.thread, access.site, access.address, access.kind, access.size, access.order, access.flags}] =
          event;
    }
  }
  return races;
}

}  // namespace heddle::property
