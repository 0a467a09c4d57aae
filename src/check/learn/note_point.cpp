// SPDX-License-Identifier: Apache-2.0
//
// What an operation says about the point where it happens: which operation it
// is, and which places of the state it touches.
#include <algorithm>
#include <set>

#include "causal/unmodelled.h"
#include "check/learn/execution_reader.h"
#include "check/learn/race_watch.h"
#include "check/learn/recorded_operation.h"
#include "semantics/record_operation.h"
#include "trace/kinds.h"

namespace heddle::check::learn {

using causal::EventId;

namespace {

uint8_t announced_kind(uint8_t kind) { return kind == HEDDLE_COND_LEAVE ? uint8_t{HEDDLE_COND_RESUME} : kind; }

// Flags that do not depend on how the operation turned out.
uint8_t announced_flags(const HeddleRecord& record) {
  uint8_t kept = HEDDLE_FLAG_MODEL;
  if (semantics::family_of(record) == HEDDLE_FAMILY_MEMORY) kept |= HEDDLE_FLAG_VOLATILE;
  if (record.kind == HEDDLE_STORE) kept |= HEDDLE_FLAG_SERIAL;
  if (semantics::effect_of(record) == HEDDLE_EFFECT_WAKE) kept |= HEDDLE_FLAG_LEARNED;
  return record.flags & kept;
}

// The operand that every execution of this operation has, or 0.
uint64_t operand(const HeddleRecord& record) {
  switch (semantics::family_of(record)) {
    case HEDDLE_FAMILY_THREAD:
    case HEDDLE_FAMILY_END: return record.value;
    case HEDDLE_FAMILY_CONDITION:  // the mutex
      return semantics::effect_of(record) == HEDDLE_EFFECT_WAIT ? record.value : 0;
    case HEDDLE_FAMILY_SEMAPHORE:
    case HEDDLE_FAMILY_BARRIER: return semantics::effect_of(record) == HEDDLE_EFFECT_INIT ? record.value : 0;
    default: break;
  }
  switch (record.kind) {
    case HEDDLE_STORE:
    case HEDDLE_EXTERN_WRITE:
    case HEDDLE_ALLOC:
    case HEDDLE_OBSERVE: return record.value;
    default: return 0;
  }
}

uint64_t second_operand(const HeddleRecord& record) {
  switch (record.kind) {
    case HEDDLE_STORE:
    case HEDDLE_EXTERN_WRITE: return record.size > 8 ? record.value2 : 0;
    case HEDDLE_ALLOC:
    case HEDDLE_FREE:
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_NONDET: return record.value2;
    default: return semantics::family_of(record) == HEDDLE_FAMILY_WORD ? record.value2 : semantics::type_of(record);
  }
}

// What the machine does not have; null: it has it.
const char* not_modelled(const HeddleRecord& record) {
  if (const char* what = causal::not_modelled(record)) return what;
  const bool is_wait = semantics::uses_object(record.kind);
  return is_wait && record.flags & HEDDLE_FLAG_SPURIOUS ? "waits that end without reason" : nullptr;
}

// Of a round that changes nothing: the thread may find something else there.
bool is_look(const Point& point) {
  const bool attempts = point.effect == HEDDLE_EFFECT_ACQUIRE || point.effect == HEDDLE_EFFECT_SHARE ||
                        point.effect == HEDDLE_EFFECT_TAKE;
  return point.kind == HEDDLE_LOAD || point.kind == HEDDLE_RMW || point.kind == HEDDLE_CAS ||
         (attempts && point.form == HEDDLE_FORM_ATTEMPT);
}

}  // namespace

Mismatch::Event ExecutionReader::known_operation(const Point& point) {
  return {trace::kind_name(point.kind), point.site};
}

bool ExecutionReader::note_operation(PointId id, const HeddleRecord& record) {
  if (const char* what = not_modelled(record)) return refuse(what);
  Point& point = model_.automata[id];
  const bool fails = record.kind == HEDDLE_FAIL;
  const bool is_performed = point.standing == Standing::kPerformed && point.kind != HEDDLE_FAIL;
  if (fails && point.is_known() && point.kind != HEDDLE_FAIL) return true;  // instead of what was announced
  const bool returns_any_address = record.kind == HEDDLE_ALLOC && model_.heap.reuses();
  if (is_performed || (fails && point.standing == Standing::kPerformed)) {
    if (fails && model_.heap.is_tracked(point.block) && concerns_block(record)) return true;
    const bool has_same_address = point.address == record.address || returns_any_address;
    const bool same = point.kind == announced_kind(record.kind) && point.size == record.size &&
                      point.site == record.site && has_same_address && point.value == operand(record) &&
                      (point.kind != HEDDLE_THREAD_CREATE || point.value2 == record.value2);
    if (point.kind == HEDDLE_OBSERVE || point.kind == HEDDLE_COND_RESUME)
      return point.kind == announced_kind(record.kind) || differ(record, known_operation(point));
    if (same && point.is_of_lock() && point.value2 != second_operand(record))
      return refuse("locks whose type depends on the order of operations");
    const bool is_same_but_for_value =
        point.kind == announced_kind(record.kind) && point.site == record.site && has_same_address;
    if (!same && is_same_but_for_value) return differ_in_value(record, "value", point.value, operand(record));
    return same || differ(record, known_operation(point));
  }
  if (point.standing == Standing::kEnded || point.standing == Standing::kFailed)
    return differ(record, {"nothing: the thread had ended", 0});
  point.standing = Standing::kPerformed;
  point.set_kind(announced_kind(record.kind));
  point.size = record.size;
  point.order = record.order;
  point.flags = announced_flags(record);
  point.site = record.site;
  point.address = returns_any_address ? 0 : record.address;
  point.value = operand(record);
  point.value2 = second_operand(record);
  point.is_glued = record.kind == HEDDLE_EXTERN_WRITE || (fails && !takes_a_turn(record));
  point.may_time_out |= point.form == HEDDLE_FORM_TIMED;
  if (point.is_of_lock()) types_[object_key(static_cast<HeddleFamily>(point.family), point.address)] = point.value2;
  note_places(id, record);
  return !mismatch_;
}

void ExecutionReader::note_object(Point& point) {
  const auto object = [&](HeddleFamily family, uint64_t address) {
    return model_.layout.slot(Space::kObject, object_key(family, address));
  };
  point.object = object(static_cast<HeddleFamily>(point.family), point.address);
  if (point.family == HEDDLE_FAMILY_BARRIER) point.other_object = model_.layout.slot(Space::kSerial, point.address);
  if (point.family != HEDDLE_FAMILY_CONDITION) return;
  if (point.effect == HEDDLE_EFFECT_WAIT) point.other_object = object(HEDDLE_FAMILY_MUTEX, point.value);
  if (point.effect == HEDDLE_EFFECT_RESUME) {
    PointId wait = point.before;
    while (model_.automata[wait].effect == HEDDLE_EFFECT_RESUME) wait = model_.automata[wait].before;
    point.other_object = model_.automata[wait].other_object;
    point.value2 = model_.automata[wait].value2;
  }
}

// Before the execution is followed: which threads does more than one operation join or detach?
void ExecutionReader::note_fates() {
  std::set<ThreadId> named;  // in this execution
  const auto note = [&](ThreadId by, uint8_t kind, uint64_t thread) {
    const HeddleEffect effect = semantics::effect_of(kind);
    if (effect != HEDDLE_EFFECT_JOIN && effect != HEDDLE_EFFECT_DETACH) return;
    if (thread >= execution_->threads.size()) return;
    Fate& fate = fates_.try_emplace(static_cast<ThreadId>(thread), Fate{by, false, {}}).first->second;
    const bool is_again = !named.insert(static_cast<ThreadId>(thread)).second || fate.first != by;
    if (!is_again || fate.is_contested) return;
    fate.is_contested = true;
    for (const PointId id : fate.points) note_contested(id);
    corrects_ |= !fate.points.empty();
  };
  for (const causal::ThreadPart& part : execution_->threads)
    for (const HeddleRecord& operation : part.operations) note(operation.thread, operation.kind, operation.value);
  for (const causal::Waiting& waiting : execution_->waiting)
    note(waiting.thread, static_cast<uint8_t>(waiting.record.value2), waiting.record.value - 1);
}

void ExecutionReader::note_contested(PointId id) {
  Point& point = model_.automata[id];
  point.object = model_.layout.slot(Space::kObject, object_key(HEDDLE_FAMILY_THREAD, point.value));
  state_.grow(model_.layout.size());
  footprints_.add(id);
}

// Of a thread that only one operation joins or detaches, the state need not say whether it has.
void ExecutionReader::note_fate(PointId id) {
  const ThreadId thread = static_cast<ThreadId>(model_.automata[id].value);
  know_thread(thread);
  const auto fate = fates_.find(thread);
  if (fate == fates_.end()) return;
  std::vector<PointId>& points = fate->second.points;
  if (std::find(points.begin(), points.end(), id) == points.end()) points.push_back(id);
  if (fate->second.is_contested) note_contested(id);
}

// Of a lock that a thread waits for: as other operations on it say.
uint64_t ExecutionReader::known_type(const HeddleRecord& waiting) const {
  const auto type = types_.find(object_key(semantics::family_of(waiting), waiting.address));
  return type == types_.end() ? 0 : type->second;
}

// Slots for what the operation touches.
void ExecutionReader::note_places(PointId id, const HeddleRecord& record) {
  Point& point = model_.automata[id];
  if (has_memory(point.kind)) {
    const uint64_t first = point.address / 8, last = (point.address + point.size - 1) / 8;
    for (uint64_t word = first; word <= last; ++word) {
      const bool is_new = !model_.layout.find(Space::kWord, word);
      point.words[word - first] = model_.layout.slot(Space::kWord, word);
      note_user(point.words[word - first], point.thread);
      if (!is_new) continue;
      if (HeapBlocks::Region* region = model_.heap.find(word * 8)) {
        region->words.emplace_back(word * 8, point.words[word - first]);
        if (model_.memory != MemoryModel::kSc)
          for (const PointId giver : region->givers) footprints_.add(giver);
      }
      const bool corrected = corrects_;  // nobody knew the word
      for (uint64_t address = word * 8; address < word * 8 + 8; ++address) note_initial(address, 1);
      corrects_ = corrected;
    }
  }
  if (point.topic == Topic::kObject) note_object(point);
  switch (point.kind) {
    case HEDDLE_THREAD_CREATE:
      if (causal::failed(record) || record.value >= kMostThreads) {
        if (record.value >= kMostThreads) refuse("more than 32 threads");
        break;
      }
      if (point.standing == Standing::kPerformed && record.value < execution_->threads.size()) {
        const ThreadId child = static_cast<ThreadId>(record.value);
        know_thread(child);
        footprints_.add_way(id, model_.automata.root(child, record.value2));
      }
      break;
    case HEDDLE_OBSERVE: {
      const auto text = execution_->names.find({record.thread, record.index});
      if (text == execution_->names.end()) break;  // only announced
      const auto [name, is_new] = names_.try_emplace(text->second, static_cast<uint32_t>(model_.names.size() + 1));
      if (is_new) model_.names.push_back(text->second);
      Point& observing = model_.automata[id];
      observing.text = name->second;
      model_.layout.slot(Space::kObservation, name->second);
      const auto [known, fresh] = observations_.try_emplace({name->second, record.value},
                                                            static_cast<uint32_t>(model_.observations.size() + 1));
      if (fresh) model_.observations.push_back({name->second - 1, record.value});
      observing.value2 = known->second;
      break;
    }
    default:
      if (point.effect == HEDDLE_EFFECT_JOIN || point.effect == HEDDLE_EFFECT_DETACH) note_fate(id);
      break;
  }
  state_.grow(model_.layout.size());
  if (point.topic == Topic::kObject) note_objects(model_.automata[id]);
  note_block(id, record);
  if (model_.races) model_.races->accesses().note(id);
  footprints_.add(id);
}

// A known point at which the thread is exactly as it is after this operation; 0: none.
PointId ExecutionReader::alike(const HeddleRecord& record, std::optional<Alike>& key) const {
  const causal::ThreadPart& part = execution_->threads[record.thread];
  const uint32_t index = record.index + 1;
  const auto less = [](const causal::PrivateState& state, uint32_t wanted) { return state.index < wanted; };
  const auto state = std::lower_bound(part.states.begin(), part.states.end(), index, less);
  if (state == part.states.end() || state->index != index || index >= part.operations.size()) return 0;
  const HeddleRecord& next = part.operations[index];
  if (next.kind == HEDDLE_FAIL) return 0;
  key = Alike{record.thread, index, next.kind, next.size, next.site, next.address, state->low, state->high};
  const auto found = alike_.find(*key);
  return found == alike_.end() ? 0 : found->second;
}

void ExecutionReader::note_arrival(PointId id, const HeddleRecord& record, const Edge& edge) {
  Point& point = model_.automata[id];
  switch (record.kind) {
    case HEDDLE_THREAD_END:
    case HEDDLE_EXIT:
      point.standing = Standing::kEnded;
      point.value = record.value;
      footprints_.add(id);
      break;
    case HEDDLE_FAIL:
      if (causal::tells_misuse(record)) break;
      point.standing = Standing::kFailed;
      footprints_.add(id);
      break;
    default:
      if (semantics::effect_of(record) == HEDDLE_EFFECT_WAIT)
        point.may_time_out = (edge.flags & HEDDLE_FLAG_TIMED) && !(edge.flags & HEDDLE_FLAG_FAILED);
      break;
  }
}

// The thread goes round in a loop that only looks: which looks are a round?
void ExecutionReader::note_looks(PointId id, EventId event) {
  Point& point = model_.automata[id];
  const auto repeats = execution_->repeats.find(event);
  if (repeats == execution_->repeats.end() || !point.looks.empty()) return;
  const std::vector<Followed>& path = progress_[event.thread].path;
  for (uint32_t i = event.index - std::min(repeats->second, event.index); i < event.index; ++i) {
    if (is_look(model_.automata[path[i].point])) point.looks.push_back({path[i].point, path[i].result.lesson});
  }
  footprints_.add(id);
}

}  // namespace heddle::check::learn
