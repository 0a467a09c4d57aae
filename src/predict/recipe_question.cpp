// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_question.h"

#include <algorithm>

#include "causal/sections.h"

namespace heddle::predict {

using solve::Formula;
using solve::Term;

namespace {

// More ways in which reads could find their values than this are not asked about.
constexpr size_t kMostWays = 20'000;
// Of the solver, for a question: up to a second. The time is there in case that it does not count what takes it.
constexpr uint32_t kMostSteps = 150'000;
constexpr double kMostSeconds = 10;

bool is_plain_access(const HeddleRecord& record) { return record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_FENCE; }

}  // namespace

std::optional<std::vector<property::PlannedStep>> RecipeQuestion::answer(const RecipeGoal& goal) {
  goal_ = &goal;
  for (const EventId event : goal.next)
    if (event.index < window_.first(event.thread) || event.index > window_.limit(event.thread)) return std::nullopt;
  slice();
  solver_.clear();
  encode_order();
  if (!encode_reads()) return std::nullopt;
  encode_conditions();
  if (!encode_locks()) return std::nullopt;
  const solve::TermSolver::Result result = solver_.check(kMostSeconds, kMostSteps);
  if (result == solve::TermSolver::Result::kUnknown) is_complete_ = false;
  if (result != solve::TermSolver::Result::kYes) return std::nullopt;
  return plan();
}

bool RecipeQuestion::is_goal(uint32_t thread) const {
  return std::any_of(goal_->next.begin(), goal_->next.end(), [&](EventId event) { return event.thread == thread; });
}

std::pair<size_t, size_t> RecipeQuestion::conditions_of(uint32_t thread) const {
  const auto& conditions = window_.conditions(thread);
  const size_t first = window_.first_condition(thread);
  // A goal's own conditions bind it: its address, the way to it.
  const uint32_t end = ends_[thread] + (is_goal(thread) ? 1 : 0);
  size_t last = first;
  while (last < conditions.size() && conditions[last].before_operation < end) ++last;
  if (is_goal(thread) && goal_->conditions) last = std::min(last, *goal_->conditions);
  return {first, std::max(first, last)};
}

// ---- slicing

void RecipeQuestion::slice() {
  ends_.clear();
  reads_.clear();
  writes_.clear();
  known_symbols_.clear();
  todo_.clear();
  is_settled_.assign(window_.threads(), false);
  for (uint32_t t = 0; t < window_.threads(); ++t) ends_.push_back(window_.first(t));
  for (const EventId goal : goal_->next) {
    if (goal.index > window_.first(goal.thread)) include({goal.thread, goal.index - 1});
    is_settled_[goal.thread] = true;
  }
  for (const EventId goal : goal_->next) {
    const auto [first, last] = conditions_of(goal.thread);
    for (size_t i = first; i < last; ++i) matter(window_.conditions(goal.thread)[i].holds);
    if (window_.has(goal))
      if (const auto allocation = window_.allocation(window_.record(goal).address); allocation && allocation->thread != goal.thread)
        include(*allocation);
  }
  if (goal_->wanted) matter(*goal_->wanted);
  while (!todo_.empty()) {
    const EventId event = todo_.back();
    todo_.pop_back();
    look_at(event);
  }
}

// The event and all of its thread before it may matter. Goals' threads end at their goals.
void RecipeQuestion::include(EventId event) {
  uint32_t& end = ends_[event.thread];
  if (is_settled_[event.thread]) return;
  const uint32_t old = end;
  for (; end <= event.index && end < window_.limit(event.thread); ++end) todo_.push_back({event.thread, end});
  if (is_goal(event.thread) || end == old) return;
  for (const symbolic::Condition& condition : window_.conditions(event.thread))
    if (condition.before_operation >= old && condition.before_operation < end) matter(condition.holds);
}

void RecipeQuestion::matter(Term term) {
  for (const Term symbol : terms_.symbols(term)) {
    const std::optional<EventId> reader = window_.reader(symbol);
    if (!reader) {
      known_symbols_.insert(symbol);
      continue;
    }
    if (!reads_.insert(*reader).second) continue;
    const HeddleRecord& read = window_.record(*reader);
    for (const EventId write : window_.writes(read.address, read.size)) {
      if (is_settled_[write.thread] && write.index >= ends_[write.thread]) continue;
      if (write.thread != reader->thread) include(write);
      if (!writes_.insert(write).second) continue;
      if (const auto& written = window_.operation(write).written) matter(*written);
    }
  }
}

void RecipeQuestion::look_at(EventId event) {
  for (const EventId needed : window_.needs(event)) include(needed);
  const HeddleRecord& record = window_.record(event);
  if (is_plain_access(record)) {
    const auto allocation = window_.allocation(record.address);
    if (allocation && allocation->thread != event.thread) {
      include(*allocation);
      writes_.insert(event);  // it has a place of its own in the order
    }
    return;
  }
  const causal::SectionStep step = causal::section_step(record);
  if (step.kind != causal::SectionStep::Kind::kAcquire && step.kind != causal::SectionStep::Kind::kAcquireShared) return;
  for (const RecipeWindow::Section& section : window_.sections().at(step.lock)) {
    const bool is_own = section.thread == event.thread && section.acquire == event.index;
    const bool blocks = section.thread != event.thread && !section.acquire;
    if ((is_own || blocks) && section.release) include({section.thread, *section.release});
  }
}

// ---- formulas

std::optional<EventId> RecipeQuestion::next_kept(uint32_t thread, uint32_t index) const {
  const auto found = std::lower_bound(kept_[thread].begin(), kept_[thread].end(), index);
  if (found == kept_[thread].end()) return std::nullopt;
  return EventId{thread, *found};
}

void RecipeQuestion::unless_later(std::vector<Formula>& ways, EventId event) {
  if (!is_goal(event.thread)) ways.push_back(solver_.before(point_, events_.at(event)));
}

void RecipeQuestion::encode_order() {
  events_.clear();
  kept_.assign(window_.threads(), {});
  point_ = solver_.new_event();
  for (uint32_t t = 0; t < window_.threads(); ++t) {
    std::optional<EventId> last;
    for (uint32_t index = window_.first(t); index < ends_[t]; ++index) {
      const EventId event{t, index};
      if (is_plain_access(window_.record(event)) && !reads_.count(event) && !writes_.count(event)) continue;
      events_[event] = solver_.new_event();
      kept_[t].push_back(index);
      if (last) solver_.require(before(*last, event));
      last = event;
    }
    if (last && is_goal(t)) solver_.require(solver_.before(events_.at(*last), point_));
  }
  for (const auto& [one, other] : window_.edges())
    if (is_kept(one) && is_kept(other)) solver_.require(before(one, other));
  for (const auto& [event, place] : events_) {
    // What it needs and is beyond all that may happen before the point: then so is it.
    for (const EventId needed : window_.needs(event))
      if (!is_kept(needed)) solver_.require(is_goal(event.thread) ? solver_.truth(false) : solver_.before(point_, place));
    const HeddleRecord& record = window_.record(event);
    const auto allocation = is_plain_access(record) ? window_.allocation(record.address) : std::nullopt;
    if (allocation && allocation->thread != event.thread && is_kept(*allocation)) solver_.require(before(*allocation, event));
  }
  for (const EventId goal : goal_->next) {
    const auto allocation = window_.has(goal) ? window_.allocation(window_.record(goal).address) : std::nullopt;
    if (!allocation || allocation->thread == goal.thread) continue;
    solver_.require(is_kept(*allocation) ? solver_.before(events_.at(*allocation), point_) : solver_.truth(false));
  }
  for (const Term symbol : known_symbols_)
    solver_.require(solver_.holds(terms_.eq(symbol, terms_.constant(terms_.width(symbol), terms_.observed(symbol)))));
}

bool RecipeQuestion::encode_reads() {
  size_t ways = 0;
  for (const EventId read : reads_) {
    const HeddleRecord& record = window_.record(read);
    const size_t writes = window_.writes(record.address, record.size).size();
    ways += (writes + 1) * (writes + 1);
  }
  if (ways > kMostWays) {
    is_complete_ = false;
    return false;
  }
  for (const EventId read : reads_)
    if (is_kept(read) && !encode_read(read)) return false;
  return true;
}

bool RecipeQuestion::encode_read(EventId read) {
  const HeddleRecord& record = window_.record(read);
  const Term symbol = *window_.operation(read).read;
  std::vector<EventId> writes;  // that may be before it; the last of its own thread is one of them
  std::optional<EventId> own;
  bool has_earlier = false;
  for (const EventId write : window_.writes(record.address, record.size)) {
    if (write.thread == read.thread) {
      if (write.index < read.index) own = write;
    } else if (is_kept(write) && !window_.must_precede(read, write)) {
      writes.push_back(write);
      has_earlier |= window_.must_precede(write, read);
    }
  }
  if (own) writes.push_back(*own);
  std::vector<Formula> ways;
  unless_later(ways, read);
  const auto finds = [&](Term value) { return solver_.holds(terms_.eq(symbol, value)); };
  const std::optional<uint64_t> initial = window_.initial(record.address, record.size);
  if (!own && !has_earlier && initial) {
    std::vector<Formula> way{finds(terms_.constant(8 * record.size, *initial))};
    for (const EventId other : writes) way.push_back(before(read, other));
    ways.push_back(solver_.all(way));
  }
  for (const EventId source : writes) {
    const HeddleRecord& write = window_.record(source);
    const auto& written = window_.operation(source).written;
    const bool covers = write.address <= record.address && record.address + record.size <= write.address + write.size;
    const auto is_between = [&](EventId other) { return window_.must_precede(source, other) && window_.must_precede(other, read); };
    if (!covers || !written || std::any_of(writes.begin(), writes.end(), is_between)) continue;
    const auto offset = static_cast<unsigned>(record.address - write.address);
    std::vector<Formula> way{finds(terms_.extract(*written, 8 * offset, 8 * record.size))};
    if (!window_.must_precede(source, read)) way.push_back(before(source, read));
    for (const EventId other : writes) {
      if (other == source || window_.must_precede(other, source)) continue;
      if (window_.must_precede(source, other)) {
        way.push_back(before(read, other));
      } else if (window_.must_precede(other, read)) {
        way.push_back(before(other, source));
      } else {
        way.push_back(solver_.any({before(other, source), before(read, other)}));
      }
    }
    ways.push_back(solver_.all(way));
  }
  solver_.require(solver_.any(ways));
  return true;
}

void RecipeQuestion::encode_conditions() {
  for (uint32_t t = 0; t < window_.threads(); ++t) {
    const auto [first, last] = conditions_of(t);
    for (size_t i = first; i < last; ++i) {
      const symbolic::Condition& condition = window_.conditions(t)[i];
      if (is_goal(t)) {
        solver_.require(solver_.holds(condition.holds));
        continue;
      }
      const std::optional<EventId> next = next_kept(t, condition.before_operation);
      if (!next) continue;  // nothing of the thread that matters follows
      std::vector<Formula> ways;
      unless_later(ways, *next);
      ways.push_back(solver_.holds(condition.holds));
      solver_.require(solver_.any(ways));
    }
  }
  if (goal_->wanted) solver_.require(solver_.holds(*goal_->wanted));
}

bool RecipeQuestion::encode_locks() {
  const auto event_of = [&](uint32_t thread, const std::optional<uint32_t>& index) -> std::optional<EventId> {
    if (!index || !is_kept({thread, *index})) return std::nullopt;
    return EventId{thread, *index};
  };
  for (const auto& [lock, sections] : window_.sections()) {
    for (size_t i = 0; i < sections.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const RecipeWindow::Section &one = sections[i], &other = sections[j];
        if (one.thread == other.thread || (one.is_shared && other.is_shared)) continue;
        const auto begin = event_of(one.thread, one.acquire), rival = event_of(other.thread, other.acquire);
        if ((one.acquire && !begin) || (other.acquire && !rival)) continue;  // it is not entered
        std::vector<Formula> ways;
        if (begin) unless_later(ways, *begin);
        if (rival) unless_later(ways, *rival);
        const auto end = event_of(one.thread, one.release), rival_end = event_of(other.thread, other.release);
        if (end && rival) ways.push_back(before(*end, *rival));
        if (rival_end && begin) ways.push_back(before(*rival_end, *begin));
        if (!begin && !rival) continue;
        if (end && rival && window_.must_precede(*end, *rival)) continue;
        if (rival_end && begin && window_.must_precede(*rival_end, *begin)) continue;
        if (ways.empty()) return false;
        solver_.require(solver_.any(ways));
      }
    }
  }
  return true;
}

// ---- the answer

std::vector<property::PlannedStep> RecipeQuestion::plan() const {
  std::map<solve::Event, EventId> operations;
  for (const auto& [event, place] : events_) operations[place] = event;
  std::vector<property::PlannedStep> steps;
  std::vector<uint32_t> next;
  for (uint32_t t = 0; t < window_.threads(); ++t) next.push_back(window_.first(t));
  std::map<uint32_t, uint32_t> waits;  // by thread: its last wait
  const auto perform_up_to = [&](uint32_t thread, uint32_t end) {
    for (; next[thread] < end; ++next[thread]) {
      const EventId event{thread, next[thread]};
      const HeddleRecord& record = window_.record(event);
      steps.push_back(property::step_of(event, record));
      if (record.kind == HEDDLE_COND_WAIT) waits[thread] = event.index;
      if (record.kind != HEDDLE_COND_SIGNAL || record.value == 0) continue;
      const auto woken = static_cast<uint32_t>(record.value - 1);
      const uint32_t resumes = waits.count(woken) ? waits[woken] + 1 : next[woken];
      steps.push_back({schedule::StepKind::kWake, {woken, resumes}, 0, 0});
    }
  };
  for (const solve::Event place : solver_.order()) {
    if (place == point_) break;
    const EventId event = operations.at(place);
    perform_up_to(event.thread, event.index + 1);
  }
  for (const EventId goal : goal_->next) perform_up_to(goal.thread, goal.index);
  return steps;
}

}  // namespace heddle::predict
