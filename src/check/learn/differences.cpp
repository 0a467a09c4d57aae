// SPDX-License-Identifier: Apache-2.0
//
// A thread did something else than it did before, having learned the same: what is said about that.
#include <algorithm>

#include "check/learn/execution_reader.h"
#include "trace/kinds.h"

namespace heddle::check::learn {

// What a thread does follows from what it learned, unless it gets something from elsewhere.
std::string ExecutionReader::likely_cause(const HeddleRecord& record, bool only_value_differs) const {
  const std::vector<HeddleRecord>& operations = execution_->threads[record.thread].operations;
  const auto is_call = [&](const HeddleRecord& earlier) {
    return earlier.kind == HEDDLE_EXTERN_CALL && earlier.index < record.index;
  };
  if (std::any_of(operations.begin(), operations.end(), is_call))
    return "what a call of code without bitcode returned or wrote";
  if (only_value_differs)
    return "an instruction that does not always give the same (rdtsc, rdrand), a value that differs from process to "
           "process, or memory that was "
           "never written";
  return "a branch on such a value, on memory that was never written, or on an address";
}

bool ExecutionReader::differ(const HeddleRecord& record, Mismatch::Event expected, std::string happened) {
  if (happened.empty()) happened = trace::kind_name(record.kind);
  Mismatch mismatch = {Mismatch::Kind::kDifference, "it did not do the same again"};
  mismatch.thread = record.thread;
  mismatch.index = record.index;
  mismatch.expected = std::move(expected);
  mismatch.happened = {std::move(happened), record.site};
  mismatch.cause = likely_cause(record, false);
  mismatch_ = std::move(mismatch);
  return false;
}

bool ExecutionReader::differ_in_value(const HeddleRecord& record, const std::string& what, uint64_t expected,
                                      uint64_t happened) {
  const std::string kind = trace::kind_name(record.kind);
  const auto with = [&](uint64_t value) { return kind + ", " + what + " " + std::to_string(value); };
  differ(record, {with(expected), record.site}, with(happened));
  mismatch_->cause = likely_cause(record, true);
  return false;
}

}  // namespace heddle::check::learn
