// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_window.h"

#include <algorithm>
#include <set>

#include "causal/operation.h"
#include "causal/sections.h"
#include "predict/window.h"

namespace heddle::predict {
namespace {

bool is_access(const HeddleRecord& record) { return record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_CAS; }

bool gave_up(const HeddleRecord& record) {
  return record.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED);
}

// Its effect on others is one of those that questions know.
bool is_modelled(const HeddleRecord& record, bool knows_outside) {
  if (record.flags & HEDDLE_FLAG_CANCELLED) return false;
  if (is_access(record)) return record.size == 1 || record.size == 2 || record.size == 4 || record.size == 8;
  switch (record.kind) {
    case HEDDLE_FENCE:
    case HEDDLE_ALLOC:
    case HEDDLE_FREE:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_CLOCK:
    case HEDDLE_OBSERVE:
    case HEDDLE_NONDET: return true;
    case HEDDLE_ASSUME: return !gave_up(record);
    case HEDDLE_EXTERN_CALL: return knows_outside;
    default: break;
  }
  return record.kind >= HEDDLE_THREAD_CREATE && record.kind <= HEDDLE_ONCE_DONE && record.kind != HEDDLE_THREAD_CANCEL;
}

// The objects whose operations, of which this is one, keep their order. Mutexes are
// among them only if somebody tried one in vain.
std::vector<uint64_t> objects_of(const HeddleRecord& record, const std::set<uint64_t>& tried) {
  constexpr uint64_t kOutside = 1;
  if (record.kind == HEDDLE_EXTERN_CALL) return {kOutside};
  std::vector<uint64_t> objects;
  const bool is_mutex = record.kind >= HEDDLE_MUTEX_LOCK && record.kind <= HEDDLE_MUTEX_UNLOCK;
  if (is_mutex && tried.count(record.address)) objects.push_back(record.address);
  if (record.kind >= HEDDLE_RWLOCK_INIT && record.kind <= HEDDLE_ONCE_DONE) objects.push_back(record.address);
  const bool has_mutex = record.kind == HEDDLE_COND_WAIT || record.kind == HEDDLE_COND_RESUME;
  if (has_mutex && tried.count(record.value)) objects.push_back(record.value);
  return objects;
}

bool is_mutex_use(const HeddleRecord& record) { return record.kind >= HEDDLE_MUTEX_INIT && record.kind <= HEDDLE_MUTEX_UNLOCK; }

}  // namespace

RecipeWindow::RecipeWindow(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin, size_t end,
                           const CarriedState& state, std::vector<uint32_t> first, bool knows_outside, WindowDetour detour)
    : trace_(trace), recipe_(recipe), begin_(begin), before_(state.memory()), detour_(detour), first_(std::move(first)),
      limit_(trace.threads.size(), 0), first_condition_(trace.threads.size(), 0), records_(trace.threads.size()) {
  find_limits(end, state, knows_outside);
  if (detour_.detour) add_detour();
  find_memory();
  find_chains();
  find_clocks();
  find_sections(state);
  for (uint32_t t = 0; t < threads(); ++t) {
    const auto& list = conditions(t);
    const auto binds = [&](const symbolic::Condition& condition) { return condition.before_operation >= first_[t]; };
    first_condition_[t] = static_cast<size_t>(std::find_if(list.begin(), list.end(), binds) - list.begin());
  }
}

// One pass: what an operation needs comes before it in the trace.
void RecipeWindow::find_limits(size_t end, const CarriedState& state, bool knows_outside) {
  std::map<uint64_t, uint64_t> sizes;  // of blocks that are allocated here
  std::map<uint64_t, std::set<uint32_t>> users;  // of words, by thread
  for (size_t at = begin_; at < end; ++at) {
    const HeddleRecord& now = trace_.events[at].record;
    if (!trace::is_visible(now)) continue;
    if (now.kind == HEDDLE_ALLOC) sizes[now.address] = now.value;
    if (is_access(now)) users[now.address / 8].insert(now.thread);
    if (is_mutex_use(now) && gave_up(now)) tried_.insert(now.address);
  }
  std::vector<bool> is_open(threads(), true);
  std::set<uint64_t> broken;                // objects with an operation that is left out
  std::set<uint32_t> uncreated, unfinished;  // threads
  for (size_t at = begin_; at < end; ++at) {
    const HeddleRecord& now = trace_.events[at].record;
    if (!trace::is_visible(now)) continue;
    learn_initial(now);
    const std::vector<uint64_t> objects = objects_of(now, tried_);
    bool stops = !is_modelled(now, knows_outside) || is_on_detour({now.thread, now.index});
    for (const uint64_t object : objects) stops |= broken.count(object) > 0;
    stops |= now.kind == HEDDLE_THREAD_START && uncreated.count(now.thread);
    stops |= now.kind == HEDDLE_THREAD_JOIN && unfinished.count(static_cast<uint32_t>(now.value));
    // Memory that others use must not be freed before they have done so: then it is not freed at all.
    if (now.kind == HEDDLE_FREE) {
      const auto size = sizes.find(now.address);
      const uint64_t block_end = now.address + (size == sizes.end() ? state.block_size(now.address) : size->second);
      for (auto word = users.lower_bound(now.address / 8); word != users.end() && word->first * 8 < block_end; ++word)
        stops |= word->second.size() > 1 || !word->second.count(now.thread);
    }
    if (stops) is_open[now.thread] = false;
    if (is_open[now.thread]) {
      records_[now.thread].push_back(&now);
      order_.push_back({now.thread, now.index});
      continue;
    }
    broken.insert(objects.begin(), objects.end());
    if (now.kind == HEDDLE_THREAD_CREATE) uncreated.insert(static_cast<uint32_t>(now.value));
    if (now.kind == HEDDLE_THREAD_END) unfinished.insert(now.thread);
  }
  for (uint32_t t = 0; t < threads(); ++t) limit_[t] = first_[t] + static_cast<uint32_t>(records_[t].size());
}

// What the thread does instead comes after all that others did; no matter, for it is what questions are about.
void RecipeWindow::add_detour() {
  const uint32_t thread = detour_.thread;
  const symbolic::Detour& detour = *detour_.detour;
  const auto& known = recipe_.symbolic.threads[thread].conditions;
  detour_conditions_.assign(known.begin(), known.begin() + detour.first_condition);
  detour_conditions_.insert(detour_conditions_.end(), detour.conditions.begin(), detour.conditions.end());
  if (limit_[thread] != detour.first_operation) return;  // the thread does not get there
  for (const symbolic::Operation& operation : detour.operations) {
    HeddleRecord made{};
    made.kind = operation.kind;
    made.size = static_cast<uint8_t>(operation.size);
    made.order = operation.order;
    made.thread = thread;
    made.index = operation.index;
    made.site = operation.site;
    made.address = recipe_.terms.observed(operation.address);
    detour_records_.push_back(made);
  }
  for (const HeddleRecord& made : detour_records_) {
    records_[thread].push_back(&made);
    order_.push_back({thread, made.index});
  }
  limit_[thread] += static_cast<uint32_t>(detour_records_.size());
}

// If nothing before the window tells what a byte was, the first access to it does: what it read, or replaced.
void RecipeWindow::learn_initial(const HeddleRecord& now) {
  if (!is_access(now) && now.kind != HEDDLE_EXTERN_WRITE && now.kind != HEDDLE_AWAIT) return;
  const bool reads = causal::reads_memory(now);
  const bool replaces = now.kind == HEDDLE_STORE && (now.flags & HEDDLE_FLAG_REPLACED);
  for (unsigned byte = 0; byte < now.size; ++byte) {
    const bool tells = byte < 8 && (reads || replaces);
    initial_.try_emplace(now.address + byte, tells ? std::optional(static_cast<uint8_t>((reads ? now.value : now.value2) >> (8 * byte)))
                                                   : std::nullopt);
  }
}

void RecipeWindow::find_memory() {
  for (const EventId event : order_) {
    const HeddleRecord& now = record(event);
    if (now.kind == HEDDLE_ALLOC) blocks_[now.address] = {now.value, event};
    if (!is_access(now)) continue;
    const symbolic::Operation& accessed = operation(event);
    if (accessed.read) readers_[accessed.read->id] = event;
    if (!causal::writes_memory(now)) continue;
    for (uint64_t word = now.address / 8; word <= (now.address + now.size - 1) / 8; ++word) writes_[word].push_back(event);
  }
}

void RecipeWindow::find_chains() {
  std::map<uint64_t, uint32_t> numbers;                      // of chains, by object
  std::map<uint64_t, std::map<uint32_t, EventId>> latest;  // by mutex and thread
  std::map<uint64_t, EventId> made;                          // by mutex
  for (const EventId event : order_) {
    const HeddleRecord& now = record(event);
    if (now.kind == HEDDLE_THREAD_CREATE && !gave_up(now)) creations_[static_cast<uint32_t>(now.value)] = event;
    if (now.kind == HEDDLE_THREAD_END) ends_[now.thread] = event;
    if (is_mutex_use(now)) {
      if (now.kind == HEDDLE_MUTEX_INIT) {
        made[now.address] = event;
      } else if (const auto init = made.find(now.address); init != made.end() && init->second.thread != event.thread) {
        edges_.emplace_back(init->second, event);
      }
      if (now.kind == HEDDLE_MUTEX_DESTROY || now.kind == HEDDLE_MUTEX_INIT)
        for (const auto& [thread, last] : latest[now.address])
          if (thread != event.thread) edges_.emplace_back(last, event);
      latest[now.address][event.thread] = event;
    }
    for (const uint64_t object : objects_of(now, tried_)) {
      const auto [number, is_new] = numbers.try_emplace(object, static_cast<uint32_t>(last_of_chain_.size()));
      if (is_new) {
        last_of_chain_.push_back(event);
        continue;
      }
      EventId& last = last_of_chain_[number->second];
      if (last.thread != event.thread) edges_.emplace_back(last, event);
      last = event;
    }
  }
  for (const auto& [thread, creation] : creations_)
    if (first_[thread] < limit_[thread] && record({thread, first_[thread]}).kind == HEDDLE_THREAD_START)
      edges_.emplace_back(creation, EventId{thread, first_[thread]});
  for (const EventId event : order_) {
    const HeddleRecord& now = record(event);
    if (now.kind != HEDDLE_THREAD_JOIN || gave_up(now)) continue;
    if (const auto end = ends_.find(static_cast<uint32_t>(now.value)); end != ends_.end()) edges_.emplace_back(end->second, event);
  }
  for (const auto& [before, after] : edges_) needs_[after].push_back(before);
}

// What an operation needs comes before it in the trace, so one pass is enough. Most operations share a clock.
void RecipeWindow::find_clocks() {
  segments_.resize(threads());
  std::vector<std::optional<uint32_t>> current(threads());
  for (const EventId event : order_) {
    std::optional<uint32_t>& own = current[event.thread];
    if (!own) {
      own = static_cast<uint32_t>(clocks_.size());
      clocks_.emplace_back(first_);
    }
    for (const EventId needed : needs(event)) {
      if (clocks_[*own][needed.thread] > needed.index) continue;
      std::vector<uint32_t> clock = clocks_[*own];
      const std::vector<uint32_t>& theirs = clocks_[segments_[needed.thread][needed.index - first_[needed.thread]]];
      for (uint32_t t = 0; t < threads(); ++t) clock[t] = std::max(clock[t], theirs[t]);
      clock[needed.thread] = std::max(clock[needed.thread], needed.index + 1);
      own = static_cast<uint32_t>(clocks_.size());
      clocks_.push_back(std::move(clock));
    }
    segments_[event.thread].push_back(*own);
  }
}

void RecipeWindow::find_sections(const CarriedState& state) {
  using Kind = causal::SectionStep::Kind;
  for (uint32_t t = 0; t < threads(); ++t) {
    for (const HeddleRecord& held : state.thread(t).held) {
      const causal::SectionStep step = causal::section_step(held);
      sections_[step.lock].push_back({t, std::nullopt, std::nullopt, step.kind == Kind::kAcquireShared});
    }
    for (uint32_t index = first_[t]; index < limit_[t]; ++index) {
      const causal::SectionStep step = causal::section_step(record({t, index}));
      if (step.kind == Kind::kNone) continue;
      std::vector<Section>& sections = sections_[step.lock];
      if (step.kind != Kind::kRelease) {
        sections.push_back({t, index, std::nullopt, step.kind == Kind::kAcquireShared});
        continue;
      }
      const auto is_open = [&](const Section& section) { return section.thread == t && !section.release; };
      const auto open = std::find_if(sections.rbegin(), sections.rend(), is_open);
      if (open != sections.rend()) open->release = index;
    }
  }
}

std::vector<EventId> RecipeWindow::writes(uint64_t address, unsigned size) const {
  std::vector<EventId> result;
  for (uint64_t word = address / 8; word <= (address + size - 1) / 8; ++word) {
    const auto found = writes_.find(word);
    if (found == writes_.end()) continue;
    for (const EventId event : found->second) {
      const HeddleRecord& write = record(event);
      const bool overlaps = write.address < address + size && address < write.address + write.size;
      if (overlaps && std::find(result.begin(), result.end(), event) == result.end()) result.push_back(event);
    }
  }
  return result;
}

std::optional<uint64_t> RecipeWindow::initial(uint64_t address, unsigned size) const {
  uint64_t value = 0;
  for (unsigned byte = 0; byte < size; ++byte) {
    std::optional<uint64_t> known = before_.at(address + byte, 1);
    if (!known)
      if (const auto told = initial_.find(address + byte); told != initial_.end()) known = told->second;
    if (!known) return std::nullopt;
    value |= *known << (8 * byte);
  }
  return value;
}

std::optional<EventId> RecipeWindow::allocation(uint64_t address) const {
  auto block = blocks_.upper_bound(address);
  if (block == blocks_.begin()) return std::nullopt;
  --block;
  if (address - block->first >= block->second.first) return std::nullopt;
  return block->second.second;
}

std::optional<EventId> RecipeWindow::reader(solve::Term symbol) const {
  const auto found = readers_.find(symbol.id);
  return found == readers_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<EventId> RecipeWindow::needs(EventId event) const {
  const auto found = needs_.find(event);
  return found == needs_.end() ? std::vector<EventId>() : found->second;
}

void for_each_window(const trace::Trace& trace, uint64_t size,
                     const std::function<void(size_t, size_t, const CarriedState&, const std::vector<uint32_t>&)>& look) {
  CarriedState state(trace.threads.size());
  std::vector<uint32_t> first(trace.threads.size(), 0);
  for (size_t begin = 0, end; begin < trace.events.size(); begin = end) {
    end = end_of_window(trace, begin, size);
    look(begin, end, state, first);
    for (size_t at = begin; at < end; ++at) {
      const HeddleRecord& record = trace.events[at].record;
      if (!trace::is_visible(record)) continue;
      state.apply(record);
      first[record.thread] = record.index + 1;
    }
  }
}

}  // namespace heddle::predict
