// SPDX-License-Identifier: Apache-2.0
#include "symbolic/trace_path.h"

namespace heddle::symbolic {
namespace {

bool is_of_interest(const HeddleRecord& record) {
  return trace::is_visible(record) || record.kind == HEDDLE_FUNCTION_ENTER || record.kind == HEDDLE_FUNCTION_EXIT ||
         record.kind == HEDDLE_BRANCH || record.kind == HEDDLE_LOCAL_VALUE;
}

}  // namespace

TracePath::TracePath(std::vector<const HeddleRecord*> records, base::Patience* patience)
    : records_(std::move(records)), patience_(patience) {}

const HeddleRecord* TracePath::take(uint8_t kind, uint32_t site) {
  const HeddleRecord* record = peek();
  if (!record || is_lost()) return nullptr;
  if (record->kind == kind && record->site == site) {
    ++next_;
    return record;
  }
  why_ = "the run has a record of kind " + std::to_string(record->kind) + " at site " + std::to_string(record->site) +
         ", the walk is at site " + std::to_string(site);
  return nullptr;
}

std::vector<std::optional<uint64_t>> TracePath::enter(uint32_t first_site, uint32_t arguments) {
  std::vector<std::optional<uint64_t>> values;
  if (!take(HEDDLE_FUNCTION_ENTER, first_site)) return values;
  for (uint32_t i = 0; i < arguments; ++i) {
    const HeddleRecord* record = take(HEDDLE_LOCAL_VALUE, first_site);
    if (!record) break;
    values.push_back(record->value);
  }
  return values;
}

void TracePath::leave(uint32_t first_site) { take(HEDDLE_FUNCTION_EXIT, first_site); }

std::optional<uint32_t> TracePath::next_function() {
  const HeddleRecord* record = peek();
  if (!record || record->kind != HEDDLE_FUNCTION_ENTER) return std::nullopt;
  return record->site;
}

std::optional<uint32_t> TracePath::way(uint32_t site) {
  const HeddleRecord* record = take(HEDDLE_BRANCH, site);
  return record ? std::optional(static_cast<uint32_t>(record->value)) : std::nullopt;
}

std::optional<uint64_t> TracePath::value(uint32_t site) {
  const HeddleRecord* record = take(HEDDLE_LOCAL_VALUE, site);
  return record ? std::optional(record->value) : std::nullopt;
}

std::optional<HeddleRecord> TracePath::access(uint32_t site) {
  const HeddleRecord* record = peek();
  if (!record || is_lost()) return std::nullopt;
  const bool is_access = record->kind >= HEDDLE_LOAD && record->kind <= HEDDLE_FENCE;
  record = take(is_access ? record->kind : uint8_t{HEDDLE_LOAD}, site);
  return record ? std::optional(*record) : std::nullopt;
}

std::vector<HeddleRecord> TracePath::outside(const OutsideCall& call) {
  std::vector<HeddleRecord> operations;
  uint32_t depth = 0;  // of functions of the program that are called from outside
  for (const HeddleRecord* record = peek(); record && !is_lost(); ++next_, record = peek()) {
    if (trace::is_visible(*record)) {
      if (call.site != 0 && !call.gives && record->site != call.site) break;
      operations.push_back(*record);
      continue;
    }
    if (!call.gives) break;
    if (depth == 0 && record->kind == HEDDLE_LOCAL_VALUE && record->site == call.site) break;
    depth += record->kind == HEDDLE_FUNCTION_ENTER;
    depth -= record->kind == HEDDLE_FUNCTION_EXIT && depth > 0;
  }
  return operations;
}

std::vector<HeddleRecord> TracePath::rest() {
  std::vector<HeddleRecord> operations;
  for (; next_ < records_.size(); ++next_)
    if (trace::is_visible(*records_[next_])) operations.push_back(*records_[next_]);
  return operations;
}

std::vector<std::vector<const HeddleRecord*>> records_of_threads(const trace::Trace& trace) {
  std::vector<std::vector<const HeddleRecord*>> records(trace.threads.size());
  for (const trace::Event& event : trace.events)
    if (event.record.thread < records.size() && is_of_interest(event.record))
      records[event.record.thread].push_back(&event.record);
  return records;
}

}  // namespace heddle::symbolic
