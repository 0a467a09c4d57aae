// SPDX-License-Identifier: Apache-2.0
#include "report/differences.h"

#include <map>
#include <set>

#include "trace/kinds.h"

namespace heddle::report {
namespace {

using Name = std::pair<std::string, uint32_t>;  // thread and index

bool is_operation(const NarratedStep& step) { return step.kind != HEDDLE_FLUSH && step.kind != HEDDLE_WAITING; }

Name name_of(const naming::Names& names, const NarratedStep& step) {
  return {names.thread_name(step.thread), names.trace().events[step.event].record.index};
}

}  // namespace

std::vector<std::string> differences_from(const naming::Names& run, std::span<const NarratedStep> steps,
                                          const naming::Names& other) {
  const std::vector<NarratedStep> others = narrate(other);
  std::map<Name, const NarratedStep*> by_name;
  for (const NarratedStep& step : others)
    if (is_operation(step)) by_name.emplace(name_of(other, step), &step);

  std::vector<std::string> differences(steps.size());
  std::set<uint32_t> elsewhere;  // threads that have gone another way
  for (size_t i = 0; i < steps.size(); ++i) {
    const NarratedStep& step = steps[i];
    if (!is_operation(step) || elsewhere.contains(step.thread)) continue;
    const auto found = by_name.find(name_of(run, step));
    if (found == by_name.end()) {
      elsewhere.insert(step.thread);
      if (step.kind != HEDDLE_FAIL) differences[i] = "the passing run has no such step";
      continue;
    }
    const NarratedStep& counterpart = *found->second;
    const bool same_way =
        counterpart.kind == step.kind && run.trace().sites[step.site] == other.trace().sites[counterpart.site];
    if (!same_way) elsewhere.insert(step.thread);
    // Whether a store was buffered is seen in the picture; what counts is what was read and written.
    if (!same_way || (counterpart.action != step.action && counterpart.mark == step.mark))
      differences[i] = counterpart.action;
  }
  return differences;
}

}  // namespace heddle::report
