// SPDX-License-Identifier: Apache-2.0
#include "check/run_points.h"

#include <algorithm>

#include "causal/operation.h"
#include "check/choice_values.h"

namespace heddle::check {

using causal::Execution;
using causal::Happening;
using causal::Option;
using property::PlannedStep;
using schedule::StepKind;

namespace {

class Reader {
 public:
  Reader(const Execution& execution, const std::vector<PlannedStep>& plan) : execution_(execution), plan_(plan) {}

  std::vector<RunPoint> read() {
    for (size_t at = 0; at < execution_.order.size();) {
      RunPoint point;
      point.at = at++;
      const Happening& happening = execution_.order[point.at];
      point.process = {happening.event.thread, happening.is_flush ? happening.event.index : Process::kThread};
      add_way(point, happening);
      add_possible(point);
      while (at < execution_.order.size() && belongs_to_step_before(at)) ++at;
      point.end = at;
      points_.push_back(std::move(point));
    }
    return std::move(points_);
  }

 private:
  bool belongs_to_step_before(size_t at) {
    const Happening& happening = execution_.order[at];
    if (happening.is_flush) return happening.is_dropped;
    const HeddleRecord& operation = execution_.operation(happening.event);
    if (causal::happens_with_previous(operation)) return true;
    if (operation.kind != HEDDLE_FAIL) return false;
    // An access that fails was chosen; an assertion that fails was not.
    if (next_step_ < plan_.size()) return plan_[next_step_].event != happening.event;
    return !choices_at(at);
  }

  // The steps of the plan where it reaches, else what was recorded.
  void add_way(RunPoint& point, const Happening& happening) {
    const HeddleRecord& operation = execution_.operation(happening.event);
    bool is_open = true;  // are the values of a choice still to be tried?
    if (next_step_ < plan_.size()) {
      is_open = plan_[next_step_].kind == StepKind::kOp;
      do point.way.push_back(plan_[next_step_++]);
      while (next_step_ < plan_.size() && plan_[next_step_].kind == StepKind::kWake);
    } else if (happening.is_flush) {
      point.way.push_back({StepKind::kFlush, happening.event, 0, 0});
    } else {
      point.way.push_back(property::step_of(happening.event, operation));
    }
    add_wakings(point);
    if (!happening.is_flush && operation.kind == HEDDLE_NONDET && is_open) add_values(point, operation);
  }

  const causal::ChoicePoint* choices_at(size_t at) {
    while (next_choice_ < execution_.choices.size() && execution_.choices[next_choice_].at < at) ++next_choice_;
    const bool found = next_choice_ < execution_.choices.size() && execution_.choices[next_choice_].at == at;
    return found ? &execution_.choices[next_choice_] : nullptr;
  }

  // A notification may wake several, one after another: each time those who
  // wait are listed again.
  void add_wakings(RunPoint& point) {
    const causal::ChoicePoint* choices = choices_at(point.at);
    if (!choices) return;
    std::vector<Option> round;
    const auto finish = [&] {
      const Way before = point.way;
      for (const Option& option : round) {
        const PlannedStep wake = {StepKind::kWake, option.event, 0, 0};
        if (option.is_taken) {
          point.way.push_back(wake);
        } else {
          point.other_ways.push_back(before);
          point.other_ways.back().push_back(wake);
        }
      }
      round.clear();
    };
    for (const Option& option : choices->options) {
      if (option.kind != StepKind::kWake) continue;
      const bool again =
          std::any_of(round.begin(), round.end(), [&](const Option& other) { return other.event == option.event; });
      if (again) finish();
      round.push_back(option);
    }
    finish();
  }

  void add_values(RunPoint& point, const HeddleRecord& operation) {
    const int64_t lowest = static_cast<int64_t>(operation.address), highest = static_cast<int64_t>(operation.value2);
    const uint64_t wanted = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest);
    const uint64_t more = std::min(wanted, kMostChoiceValues - 1);
    point.leaves_out_values = more < wanted;
    point.way.front() = property::step_of(point.way.front().event, operation);
    for (uint64_t i = 0; i <= more; ++i) {
      Way other = point.way;
      other.front().value = lowest + static_cast<int64_t>(i);
      if (other.front().value != static_cast<int64_t>(operation.value)) point.other_ways.push_back(std::move(other));
    }
  }

  void add_possible(RunPoint& point) {
    if (const causal::ChoicePoint* choices = choices_at(point.at)) {
      for (const Option& option : choices->options) {
        if (option.kind == StepKind::kWake) continue;
        const bool is_flush = option.kind == StepKind::kFlush;
        point.possible.push_back({{option.event.thread, is_flush ? option.event.index : Process::kThread},
                                  {option.kind, option.event, 0, 0},
                                  option.waits_in_loop});
      }
    }
    if (point.possible.empty()) point.possible.push_back({point.process, point.way.front(), false});
  }

  const Execution& execution_;
  const std::vector<PlannedStep>& plan_;
  std::vector<RunPoint> points_;
  size_t next_step_ = 0, next_choice_ = 0;
};

}  // namespace

bool RunPoint::allows(Process wanted) const {
  return std::any_of(possible.begin(), possible.end(), [&](const Possible& one) { return one.process == wanted; });
}

std::vector<RunPoint> points_of(const Execution& execution, const std::vector<PlannedStep>& plan) {
  return Reader(execution, plan).read();
}

size_t points_in(const std::vector<PlannedStep>& plan) {
  return static_cast<size_t>(
      std::count_if(plan.begin(), plan.end(), [](const PlannedStep& step) { return step.kind != StepKind::kWake; }));
}

}  // namespace heddle::check
