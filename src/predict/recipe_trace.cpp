// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_trace.h"

#include <algorithm>

#include "base/check.h"
#include "predict/trace_path.h"
#include "symbolic/walker.h"

namespace heddle::predict {

RecipeTrace walk_trace(const trace::Trace& trace, const build::NumberedProgram& program) {
  RecipeTrace result;
  std::vector<std::vector<const HeddleRecord*>> records = records_of_threads(trace);
  for (uint32_t thread = 0; thread < records.size(); ++thread) {
    TracePath path(std::move(records[thread]));
    result.symbolic.threads.push_back(
        symbolic::walk_thread(program, path, result.terms, trace.thread_name(thread), result.symbolic.statistics));
    const auto& operations = result.symbolic.threads.back().operations;
    for (uint32_t i = 0; i < operations.size(); ++i)
      HEDDLE_CHECK(operations[i].index == i, "the walk has every operation of its thread, in order");
  }
  return result;
}

void drop_local_records(trace::Trace& trace) {
  std::erase_if(trace.events, [](const trace::Event& event) {
    return event.record.kind >= HEDDLE_FUNCTION_ENTER && event.record.kind <= HEDDLE_LOCAL_VALUE;
  });
}

}  // namespace heddle::predict
