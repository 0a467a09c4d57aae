// SPDX-License-Identifier: Apache-2.0
//
// The answer as steps of a schedule. A signal wakes, of those who wait, the one that
// goes on soonest; at a condition that keeps its order, the one that it woke in the trace.
#include <algorithm>

#include "predict/recipe_question.h"

namespace heddle::predict {
namespace {

class Planner {
 public:
  // `resumes` says when, in the new order, a wait ends.
  Planner(const RecipeWindow& window, const std::map<EventId, size_t>& resumes) : window_(window), resumes_(resumes) {
    for (uint32_t t = 0; t < window.threads(); ++t) next_.push_back(window.first(t));
    for (const auto& [address, condition] : window.objects().conditions())
      for (const Waiter& waiter : condition.waiters)
        if (!waiter.begin) waiting_[address].push_back({waiter.thread, window.first(waiter.thread)});
  }

  void perform_up_to(uint32_t thread, uint32_t end) {
    for (; next_[thread] < end; ++next_[thread]) {
      const EventId event{thread, next_[thread]};
      const HeddleRecord& record = window_.record(event);
      steps.push_back(property::step_of(event, record));
      const EventId resume{thread, event.index + 1};
      if (semantics::family_of(record) != HEDDLE_FAMILY_CONDITION || gave_up(record)) continue;
      switch (semantics::effect_of(record)) {
        case HEDDLE_EFFECT_WAIT: waiting_[record.address].push_back(resume); break;
        case HEDDLE_EFFECT_LEAVE:
          std::erase_if(waiting_[record.address], [&](EventId other) { return other.thread == thread; });
          break;
        case HEDDLE_EFFECT_WAKE:
          if (semantics::most_woken(record) == 1) {
            signal(record);
          } else {
            waiting_[record.address].clear();
          }
          break;
        default: break;
      }
    }
  }

  std::vector<property::PlannedStep> steps;

 private:
  void signal(const HeddleRecord& record) {
    std::vector<EventId>& waiting = waiting_[record.address];
    auto woken = waiting.end();
    if (window_.rules().is_kept(record.address)) {
      if (record.value == 0) return;
      const auto thread = static_cast<uint32_t>(record.value - 1);
      woken = std::find_if(waiting.begin(), waiting.end(), [&](EventId other) { return other.thread == thread; });
      if (woken == waiting.end()) {  // it waited when the window began
        steps.push_back({schedule::StepKind::kWake, {thread, next_[thread]}, 0, 0});
        return;
      }
    } else {
      woken = std::min_element(waiting.begin(), waiting.end(),
                               [&](EventId one, EventId other) { return when(one) < when(other); });
    }
    if (woken == waiting.end()) return;
    steps.push_back({schedule::StepKind::kWake, *woken, 0, 0});
    waiting.erase(woken);
  }

  size_t when(EventId resume) const {
    const auto found = resumes_.find(resume);
    return found == resumes_.end() ? ~size_t{0} : found->second;
  }

  const RecipeWindow& window_;
  const std::map<EventId, size_t>& resumes_;
  std::vector<uint32_t> next_;
  std::map<uint64_t, std::vector<EventId>> waiting_;  // by condition: what they do next
};

}  // namespace

std::vector<property::PlannedStep> RecipeQuestion::plan() const {
  std::map<solve::Event, EventId> operations;
  for (const auto& [event, place] : events_) operations[place] = event;
  const std::vector<solve::Event> order = solver_.order();
  std::map<EventId, size_t> resumes;
  for (size_t at = 0; at < order.size() && order[at] != point_; ++at)
    if (const EventId event = operations.at(order[at]);
        semantics::effect_of(window_.record(event)) == HEDDLE_EFFECT_RESUME)
      resumes[event] = at;
  Planner planner(window_, resumes);
  for (const solve::Event place : order) {
    if (place == point_) break;
    const EventId event = operations.at(place);
    planner.perform_up_to(event.thread, event.index + 1);
  }
  for (const EventId goal : goal_->next) planner.perform_up_to(goal.thread, goal.index);
  return std::move(planner.steps);
}

}  // namespace heddle::predict
