// SPDX-License-Identifier: Apache-2.0
//
// The writing half of the file form, and its words.
#include "schedule/schedule.h"

#include <fmt/format.h>

#include <iterator>

#include "base/check.h"
#include "base/files.h"
#include "trace/text_syntax.h"

namespace heddle::schedule {
namespace {

struct KindName {
  StepKind kind;
  const char* name;
};

constexpr KindName kKindNames[] = {
    {StepKind::kOp, "op"},           {StepKind::kFlush, "flush"},       {StepKind::kWake, "wake"},
    {StepKind::kTimeout, "timeout"}, {StepKind::kSpurious, "spurious"}, {StepKind::kNondet, "nondet"},
};

}  // namespace

const char* step_kind_name(StepKind kind) {
  for (const KindName& entry : kKindNames) {
    if (entry.kind == kind) return entry.name;
  }
  HEDDLE_CHECK(false, "a step has one of the kinds of StepKind");
  return nullptr;
}

std::optional<StepKind> find_step_kind(std::string_view name) {
  for (const KindName& entry : kKindNames) {
    if (name == entry.name) return entry.kind;
  }
  return std::nullopt;
}

ScheduleText::ScheduleText(const Schedule& facts)
    : text_(fmt::format("heddle-schedule {}\nmodule {}\ninstrumentation {}\nmemory {}\n", HEDDLE_SCHEDULE_VERSION,
                        trace::quote(facts.module_hash), facts.instrumentation_version,
                        trace::quote(memory_model_name(facts.memory_model)))) {
  if (facts.check_rules) text_ += "rules \"check\"\n";
  if (!facts.result.empty()) text_ += "result " + trace::quote(facts.result) + '\n';
}

void ScheduleText::add(const Step& step) {
  fmt::format_to(std::back_inserter(text_), "{} {} {}", step_kind_name(step.kind), step.thread.text(), step.index);
  if (step.kind == StepKind::kNondet) fmt::format_to(std::back_inserter(text_), " = {}", step.value);
  if (step.site != 0) fmt::format_to(std::back_inserter(text_), " @{}", step.site);
  if (!step.place.empty()) text_ += ' ' + trace::quote(step.place);
  text_ += '\n';
}

std::string ScheduleText::finish() { return std::move(text_ += "end\n"); }

std::string write_schedule(const Schedule& schedule) {
  ScheduleText text(schedule);
  for (const Step& step : schedule.steps) text.add(step);
  return text.finish();
}

base::Result<Schedule> read_schedule(const std::string& path) {
  auto text = base::read_file(path);
  if (!text) return text.error();
  return parse_schedule(*text, path);
}

base::Result<void> write_schedule_file(const std::string& path, const Schedule& schedule) {
  return base::write_file(path, write_schedule(schedule));
}

}  // namespace heddle::schedule
