// SPDX-License-Identifier: Apache-2.0
#include "oracle/random_runs.h"

#include <cstring>

#include "execute/executor.h"

namespace heddle::oracle {
namespace {

// The text that the records from `place` on carry.
std::string text_at(const std::vector<HeddleRecord>& records, size_t place) {
  std::string text;
  for (; place < records.size() && records[place].kind == HEDDLE_TEXT; ++place) {
    char bytes[HEDDLE_TEXT_BYTES];
    std::memcpy(bytes, &records[place].address, sizeof bytes);
    text.append(bytes, records[place].size);
    if (!records[place].flags) break;
  }
  return text;
}

void add_run(const execute::Run& run, CheckedResult& result) {
  Outcome outcome;
  for (size_t place = 0; place < run.records.size(); ++place) {
    const HeddleRecord& record = run.records[place];
    if (record.kind == HEDDLE_OBSERVE) outcome[text_at(run.records, place + 1)] = static_cast<long long>(record.value);
    if (record.kind == HEDDLE_FAIL) result.failing_assertion_lines.insert(static_cast<int>(record.value2));
  }
  switch (run.ending.outcome) {
    case HEDDLE_OUTCOME_EXIT: result.outcomes.insert(outcome); break;
    case HEDDLE_OUTCOME_DEADLOCK: result.deadlock = true; break;
    case HEDDLE_OUTCOME_FAILURE: break;
    default:
      // No program of the oracle ends in any other way: a line that no operation has.
      result.failing_assertion_lines.insert(0);
      result.text += "a run ended otherwise: " + run.ending.message + "\n";
  }
}

schedule::MemoryModel memory_of(MemoryModel model) {
  switch (model) {
    case MemoryModel::kTso: return schedule::MemoryModel::kTso;
    case MemoryModel::kPso: return schedule::MemoryModel::kPso;
    default: return schedule::MemoryModel::kSc;
  }
}

}  // namespace

CheckedResult run_randomly(const execute::Subject& set, int program, MemoryModel model, int runs) {
  CheckedResult result;
  execute::Subject subject = set;
  subject.arguments = {std::to_string(program)};
  auto executor = execute::Executor::start(subject, {});
  if (!executor) {
    result.text = executor.error().message;
    result.failing_assertion_lines.insert(0);
    return result;
  }
  std::vector<execute::RunRequest> requests(static_cast<size_t>(runs));
  for (size_t seed = 0; seed < requests.size(); ++seed) {
    requests[seed].strategy = HEDDLE_STRATEGY_RANDOM;
    requests[seed].seed = seed;
    requests[seed].memory = memory_of(model);
  }
  const auto done = (*executor)->run_batch(requests, [&](size_t, execute::Run& run) { add_run(run, result); });
  if (!done) {
    result.text = done.error().message;
    result.failing_assertion_lines.insert(0);
  }
  return result;
}

}  // namespace heddle::oracle
