// SPDX-License-Identifier: Apache-2.0
//
// What is followed, and who tells whom.
#include "check/learn/orders.h"

#include <algorithm>

namespace heddle::check::learn {

using semantics::acquires;
using semantics::releases;

namespace {

// Keys of slots.
enum : uint32_t { kOwn, kReleased, kCollected, kBuffered, kObject, kReaders, kBytes, kSections };

}  // namespace

bool Orders::begin() {
  members_.assign(accesses_.size(), kUntracked);
  tracked_.clear();
  rival_threads_.clear();
  rivals_.clear();
  raced_.clear();
  for (AccessId id = 1; id < accesses_.size(); ++id) {
    if (!accesses_.has_open_rival(id, RaceForm::kUnordered)) continue;
    members_[id] = static_cast<uint32_t>(tracked_.size());
    tracked_.push_back(id);
    std::vector<ThreadId> threads;
    std::vector<AccessId> rivals;
    for (const AccessId rival : accesses_.rivals(id)) {
      if (!accesses_.is_open(id, rival, RaceForm::kUnordered)) continue;
      rivals.push_back(rival);
      if (std::find(threads.begin(), threads.end(), accesses_[rival].thread) == threads.end())
        threads.push_back(accesses_[rival].thread);
    }
    rival_threads_.push_back(std::move(threads));
    rivals_.push_back(std::move(rivals));
  }
  knowledge_.clear(static_cast<uint32_t>(tracked_.size()));
  add_slots();
  return !tracked_.empty();
}

uint32_t Orders::new_slot(uint32_t kind, uint32_t of, std::vector<uint32_t>& list) {
  const uint32_t slot = model_.layout.slot(Space::kOrder, uint64_t{kind} << 32 | of);
  if (std::find(list.begin(), list.end(), slot) == list.end()) list.push_back(slot);
  return slot;
}

void Orders::add_slots() {
  set_slots_.clear();
  row_slots_.clear();
  threads_.assign(model_.thread_slots.size(), {});
  objects_.assign(model_.layout.size(), {});
  words_.assign(model_.layout.size(), 0);
  if (tracked_.empty()) return;
  for (ThreadId thread = 0; thread < threads_.size(); ++thread) {
    threads_[thread].own = new_slot(kOwn, thread, set_slots_);
    if (model_.memory != MemoryModel::kSc) threads_[thread].buffer = new_slot(kBuffered, thread, row_slots_);
  }
  for (PointId id = 1; id <= model_.automata.size(); ++id) {
    const Point& point = model_.automata[id];
    if (!point.is_known()) continue;
    if (point.kind == HEDDLE_FENCE && releases(point.order))
      threads_[point.thread].released = new_slot(kReleased, point.thread, set_slots_);
    if (point.kind == HEDDLE_FENCE && acquires(point.order))
      threads_[point.thread].collected = new_slot(kCollected, point.thread, set_slots_);
    if (point.kind == HEDDLE_ATOMIC_BEGIN) atomic_ = new_slot(kSections, 0, set_slots_);
    const bool is_barrier = point.family == HEDDLE_FAMILY_BARRIER;
    const uint32_t object = point.topic == Topic::kObject ? point.object : 0;
    for (const uint32_t slot : {object, is_barrier ? 0 : point.other_object}) {
      if (!slot || objects_[slot].usual) continue;
      objects_[slot].usual = new_slot(kObject, slot, set_slots_);
      if (point.family == HEDDLE_FAMILY_RWLOCK) objects_[slot].readers = new_slot(kReaders, slot, set_slots_);
    }
    if (accesses_.of(id, false) && is_atomic(point.kind, point.order))
      for (const uint32_t slot : point.words)
        if (slot && !words_[slot]) words_[slot] = new_slot(kBytes, slot, row_slots_);
  }
}

void Orders::release(State& state, ThreadId who, uint32_t slot) {
  if (slot) state.set(slot, knowledge_.joined(get(state, slot), get(state, thread(who).own)));
}

void Orders::acquire(State& state, ThreadId who, uint32_t slot) { learn(state, who, get(state, slot)); }

void Orders::learn(State& state, ThreadId who, uint32_t set) {
  const uint32_t own = thread(who).own;
  if (!own || !set) return;
  const uint32_t before = state[own];
  state.set(own, knowledge_.joined(before, set));
  if (state[own] == before) return;
  for (const uint32_t member : knowledge_.members_added(before, state[own])) {
    const std::vector<ThreadId>& rivals = rival_threads_[member];
    const auto knows = [&](ThreadId rival) { return knowledge_.has(get(state, thread(rival).own), member); };
    if (std::all_of(rivals.begin(), rivals.end(), knows)) forget(state, member);
  }
}

// As if it had never happened.
void Orders::forget(State& state, uint32_t member) {
  for (const uint32_t slot : set_slots_) state.set(slot, knowledge_.without(state[slot], member));
  for (const uint32_t slot : row_slots_) state.set(slot, knowledge_.row_without(state[slot], member));
}

void Orders::occur(State& state, AccessId access) {
  if (access >= members_.size() || members_[access] == kUntracked) return;
  const uint32_t member = members_[access], own = thread(accesses_[access].thread).own;
  for (const AccessId rival : rivals_[member]) {
    const uint32_t other = members_[rival];
    if (other == kUntracked || knowledge_.has(state[own], other)) continue;
    if (knowledge_.has(get(state, thread(accesses_[rival].thread).own), other)) raced_.emplace_back(rival, access);
  }
  forget(state, member);
  state.set(own, knowledge_.with(state[own], member));
}

void Orders::perform(State& state, PointId id, const Edge& edge) {
  const Point& point = model_.automata[id];
  const OfThread& own = thread(point.thread);
  if (!own.own || own.own >= state.size()) return;
  if (accesses_.of(id, false)) return access_memory(state, id, edge);
  if (point.kind != HEDDLE_FENCE) return use_object(state, point, edge);
  if (acquires(point.order)) acquire(state, point.thread, own.collected);
  if (releases(point.order) && own.released) state.set(own.released, state[own.own]);
}

void Orders::use_object(State& state, const Point& point, const Edge& edge) {
  const ThreadId who = point.thread;
  const uint32_t object = this->object(point.object).usual;
  const bool gave_up = semantics::gave_up(edge.flags);
  switch (point.effect) {
    case HEDDLE_EFFECT_CREATE:
      if (!gave_up) learn(state, static_cast<ThreadId>(point.value), get(state, thread(who).own));
      break;
    case HEDDLE_EFFECT_JOIN:
      if (!gave_up) acquire(state, who, thread(static_cast<ThreadId>(point.value)).own);
      break;
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_SHARE:
    case HEDDLE_EFFECT_RELEASE:
      if (!gave_up) use_lock(state, point);
      break;
    case HEDDLE_EFFECT_TAKE:
      if (!gave_up) acquire(state, who, object);
      break;
    case HEDDLE_EFFECT_WAIT:
    case HEDDLE_EFFECT_RESUME:
      if (point.family == HEDDLE_FAMILY_CONDITION) use_mutex_of_condition(state, point, edge);
      break;
    case HEDDLE_EFFECT_ENTER: acquire(state, who, object); break;
    case HEDDLE_EFFECT_FINISH:
    case HEDDLE_EFFECT_POST: release(state, who, object); break;
    case HEDDLE_EFFECT_ARRIVE: use_barrier(state, point); break;
    default:
      if (point.kind == HEDDLE_ATOMIC_BEGIN) acquire(state, who, atomic_);
      if (point.kind == HEDDLE_ATOMIC_END) release(state, who, atomic_);
      break;
  }
}

void Orders::use_lock(State& state, const Point& point) {
  const ThreadId who = point.thread;
  const OfObject own = object(point.object);
  const uint64_t now = model_.numbers.value(state[point.object]);
  switch (point.effect) {
    case HEDDLE_EFFECT_ACQUIRE:
      if (point.family == HEDDLE_FAMILY_RWLOCK) acquire(state, who, own.readers);
      acquire(state, who, own.usual);
      break;
    case HEDDLE_EFFECT_SHARE: acquire(state, who, own.usual); break;
    default:
      if (point.family == HEDDLE_FAMILY_RWLOCK) {
        const bool writes = unpack<RwlockState>(now).owner == who + 1;
        release(state, who, writes ? own.usual : own.readers);
      } else if (unpack<MutexState>(now).depth <= 1) {  // not locked twice
        release(state, who, own.usual);
      }
      break;
  }
}

void Orders::use_mutex_of_condition(State& state, const Point& point, const Edge& edge) {
  const uint32_t mutex = object(point.other_object).usual;
  if (edge.flags & HEDDLE_FLAG_FAILED) return;
  if (point.effect == HEDDLE_EFFECT_WAIT) {
    release(state, point.thread, mutex);
  } else if (edge.result.way == Way::kDone) {
    acquire(state, point.thread, mutex);
  }
}

// Who arrives last lets all go; they know at once what all who arrived knew.
void Orders::use_barrier(State& state, const Point& point) {
  const uint32_t slot = object(point.object).usual;
  if (!slot) return;
  release(state, point.thread, slot);
  BarrierState barrier =
      unpack_barrier(model_.numbers.value(state[point.object]), model_.numbers.value(state[point.other_object]));
  barrier.arrived.insert(point.thread);
  if (barrier.arrived.size() != barrier.limit) return;
  for (uint64_t left = barrier.arrived.bits | barrier.stranded.bits; left; left &= left - 1) {
    const uint32_t told = get(state, slot);  // may shrink as they learn it
    learn(state, static_cast<ThreadId>(__builtin_ctzll(left)), told);
  }
  state.set(slot, 0);
}

bool Orders::is_forwarded(const State& state, const Point& point) const {
  if (model_.memory == MemoryModel::kSc) return false;
  for (const uint32_t waiting : model_.buffers.content(state[model_.buffer_slots[point.thread]])) {
    if (waiting == StoreBuffers::kMarker) continue;
    const Point& store = model_.automata[StoreBuffers::point(waiting)];
    if (store.address < point.address + point.size && point.address < store.address + store.size) return true;
  }
  return false;
}

// What the bytes of memory that the operation takes bring along.
uint32_t Orders::found(const State& state, const Point& point) {
  uint32_t all = 0;
  for (uint64_t address = point.address; address < point.address + point.size; ++address) {
    const uint32_t word = point.words[address / 8 - point.address / 8];
    const uint32_t slot = word < words_.size() ? words_[word] : 0;
    if (get(state, slot)) all = knowledge_.joined(all, knowledge_.at(state[slot], address % 8));
  }
  return all;
}

void Orders::write(State& state, const Point& point, uint32_t message) {
  for (uint64_t word = point.address / 8; word <= (point.address + point.size - 1) / 8; ++word) {
    const uint32_t at = point.words[word - point.address / 8];
    const uint32_t slot = at < words_.size() ? words_[at] : 0;
    if (!slot || (!state[slot] && !message)) continue;
    Knowledge::Row row = knowledge_.row(state[slot]);
    row.resize(8, 0);
    for (uint64_t byte = 0; byte < 8; ++byte)
      if (word * 8 + byte >= point.address && word * 8 + byte < point.address + point.size) row[byte] = message;
    state.set(slot, knowledge_.row_number(std::move(row)));
  }
}

void Orders::access_memory(State& state, PointId id, const Edge& edge) {
  const Point& point = model_.automata[id];
  const OfThread& own = thread(point.thread);
  const bool fails = point.kind == HEDDLE_CAS && (edge.flags & HEDDLE_FLAG_FAILED);
  const bool is_atomic_access = is_atomic(point.kind, edge.order);
  const bool reads = point.kind != HEDDLE_STORE && point.kind != HEDDLE_EXTERN_WRITE;
  const AccessId access = accesses_.of(id, fails);
  uint32_t message = 0;
  if (is_atomic_access && reads && !is_forwarded(state, point)) {
    message = found(state, point);
    if (own.collected) state.set(own.collected, knowledge_.joined(state[own.collected], message));
    if (acquires(edge.order)) learn(state, point.thread, message);
  }
  occur(state, access);
  if (point.kind == HEDDLE_LOAD || point.kind == HEDDLE_AWAIT || fails) return;
  message = message ? found(state, point) : 0;  // again: something may have been forgotten
  if (is_atomic_access)
    message = knowledge_.joined(message, releases(edge.order) ? state[own.own] : get(state, own.released));
  if (point.kind == HEDDLE_STORE && model_.memory != MemoryModel::kSc &&
      heddle_is_buffered(point.kind, point.order, point.flags)) {
    size_t place = 0;
    for (const uint32_t waiting : model_.buffers.content(state[model_.buffer_slots[point.thread]]))
      place += waiting != StoreBuffers::kMarker;
    Knowledge::Row row = knowledge_.row(state[own.buffer]);
    row.resize(place + 1, 0);
    row[place] = message;
    state.set(own.buffer, knowledge_.row_number(std::move(row)));
  } else {
    write(state, point, message);
  }
}

void Orders::flush(State& state, ThreadId who, uint32_t place) {
  const uint32_t slot = thread(who).buffer;
  if (!slot || slot >= state.size()) return;
  const uint32_t store = model_.buffers.content(state[model_.buffer_slots[who]])[place];
  write(state, model_.automata[StoreBuffers::point(store)], knowledge_.at(state[slot], place));
  drop(state, who, place);
}

void Orders::drop(State& state, ThreadId who, uint32_t place) {
  const uint32_t slot = thread(who).buffer;
  if (!slot || slot >= state.size() || place >= knowledge_.row(state[slot]).size()) return;
  Knowledge::Row row = knowledge_.row(state[slot]);
  row.erase(row.begin() + place);
  state.set(slot, knowledge_.row_number(std::move(row)));
}

}  // namespace heddle::check::learn
