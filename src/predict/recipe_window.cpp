// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_window.h"

#include <algorithm>
#include <set>
#include <span>

#include "predict/window.h"

namespace heddle::predict {
namespace {

bool is_access(const HeddleRecord& record) { return record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_CAS; }

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
    case HEDDLE_FAIL: return record.value == HEDDLE_FAILURE_MISUSE;  // its thread goes on
    default: break;
  }
  return is_object_use(record) ||
         (semantics::family_of(record) == HEDDLE_FAMILY_THREAD && semantics::effect_of(record) != HEDDLE_EFFECT_CANCEL);
}

std::span<const trace::Event> part_of(const trace::Trace& trace, size_t begin, size_t end) {
  return std::span(trace.events).subspan(begin, end - begin);
}

}  // namespace

// What cannot happen since something that it needs is left out.
class RecipeWindow::Limits {
 public:
  explicit Limits(const ObjectRules& rules) : rules_(rules) {}

  bool allow(const HeddleRecord& record) const {
    const HeddleEffect effect = semantics::effect_of(record);
    if (effect == HEDDLE_EFFECT_START && uncreated_.count(record.thread)) return false;
    if (effect == HEDDLE_EFFECT_JOIN && unfinished_.count(static_cast<uint32_t>(record.value))) return false;
    if (effect == HEDDLE_EFFECT_DEPART)
      if (const auto round = rules_.round({record.thread, record.index});
          round && incomplete_.count({record.address, *round}))
        return false;
    for (const uint64_t object : rules_.kept_of(record))
      if (broken_.count(object)) return false;
    if (!is_object_use(record)) return true;
    return !unusable_.count(record.address) && !(has_mutex(record) && unusable_.count(record.value));
  }

  void leave_out(const HeddleRecord& record) {
    for (const uint64_t object : rules_.kept_of(record)) broken_.insert(object);
    if (ObjectRules::makes_usable(record)) unusable_.insert(record.address);
    const HeddleEffect effect = semantics::effect_of(record);
    if (effect == HEDDLE_EFFECT_CREATE) uncreated_.insert(static_cast<uint32_t>(record.value));
    if (effect == HEDDLE_EFFECT_END) unfinished_.insert(record.thread);
    if (effect != HEDDLE_EFFECT_ARRIVE) return;
    if (const auto round = rules_.round({record.thread, record.index})) incomplete_.insert({record.address, *round});
  }

 private:
  const ObjectRules& rules_;
  std::set<uint64_t> broken_, unusable_;                // objects
  std::set<uint32_t> uncreated_, unfinished_;           // threads
  std::set<std::pair<uint64_t, uint64_t>> incomplete_;  // rounds of barriers
};

RecipeWindow::RecipeWindow(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin, size_t end,
                           const CarriedState& state, std::vector<uint32_t> first, bool knows_outside,
                           WindowDetour detour)
    : trace_(trace),
      recipe_(recipe),
      begin_(begin),
      detour_(detour),
      first_(std::move(first)),
      limit_(trace.threads.size(), 0),
      first_condition_(trace.threads.size(), 0),
      records_(trace.threads.size()),
      memory_(state.memory()),
      rules_(part_of(trace, begin, end), state),
      objects_(state, rules_) {
  find_limits(end, state, knows_outside);
  if (detour_.detour) add_detour();
  for (const EventId event : order_) {
    memory_.add(record(event));
    objects_.add(record(event));
    if (is_access(record(event)))
      if (const auto& read = operation(event).read) readers_[read->id] = event;
  }
  for (const auto& [before, after] : objects_.edges()) needs_[after].push_back(before);
  find_clocks();
  for (uint32_t t = 0; t < threads(); ++t) {
    const auto& list = conditions(t);
    const auto binds = [&](const symbolic::Condition& condition) { return condition.before_operation >= first_[t]; };
    first_condition_[t] = static_cast<size_t>(std::find_if(list.begin(), list.end(), binds) - list.begin());
  }
}

// One pass: what an operation needs comes before it in the trace.
void RecipeWindow::find_limits(size_t end, const CarriedState& state, bool knows_outside) {
  std::map<uint64_t, uint64_t> sizes;            // of blocks that are allocated here
  std::map<uint64_t, std::set<uint32_t>> users;  // of words, by thread
  for (const trace::Event& event : part_of(trace_, begin_, end)) {
    const HeddleRecord& now = event.record;
    if (!trace::is_visible(now)) continue;
    if (now.kind == HEDDLE_ALLOC) sizes[now.address] = now.value;
    if (is_access(now)) users[now.address / 8].insert(now.thread);
  }
  std::vector<bool> is_open(threads(), true);
  Limits limits(rules_);
  for (const trace::Event& event : part_of(trace_, begin_, end)) {
    const HeddleRecord& now = event.record;
    if (!trace::is_visible(now)) continue;
    memory_.learn(now);
    bool stops = !is_modelled(now, knows_outside) || is_on_detour({now.thread, now.index}) || !limits.allow(now);
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
    } else {
      limits.leave_out(now);
    }
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

std::optional<EventId> RecipeWindow::reader(solve::Term symbol) const {
  const auto found = readers_.find(symbol.id);
  return found == readers_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<EventId> RecipeWindow::needs(EventId event) const {
  const auto found = needs_.find(event);
  return found == needs_.end() ? std::vector<EventId>() : found->second;
}

void for_each_window(
    const trace::Trace& trace, uint64_t size, const std::function<bool(size_t)>& stops,
    const std::function<void(size_t, size_t, const CarriedState&, const std::vector<uint32_t>&)>& look) {
  CarriedState state(trace.threads.size());
  std::vector<uint32_t> first(trace.threads.size(), 0);
  for (size_t begin = 0, end; begin < trace.events.size(); begin = end) {
    if (stops && stops(begin)) return;
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
