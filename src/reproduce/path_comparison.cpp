// SPDX-License-Identifier: Apache-2.0
#include "reproduce/path_comparison.h"

#include <algorithm>

#include "reproduce/path_window.h"

namespace heddle::reproduce {
namespace {

// The successor that was recorded; nothing: the path is over. A value beyond all successors is one that no switch has.
std::optional<uint32_t> recorded_way(record::PathCursor& path, const std::vector<uint32_t>* numbers) {
  if (!numbers) {
    const std::optional<bool> bit = path.bit();
    return bit ? std::optional<uint32_t>(*bit ? 0 : 1) : std::nullopt;
  }
  const uint32_t distinct = numbers->empty() ? 0 : *std::max_element(numbers->begin(), numbers->end()) + 1;
  const std::optional<uint64_t> number = path.bits(record::switch_width(distinct));
  if (!number) return std::nullopt;
  const auto found = std::find(numbers->begin(), numbers->end(), *number);
  return static_cast<uint32_t>(found - numbers->begin());
}

}  // namespace

std::vector<std::vector<HeddleRecord>> records_by_thread(const trace::Trace& trace) {
  std::vector<std::vector<HeddleRecord>> records(trace.threads.size());
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    const bool belongs =
        trace::is_visible(record) || (record.kind >= HEDDLE_FUNCTION_ENTER && record.kind <= HEDDLE_LOCAL_VALUE);
    if (belongs && record.thread < records.size()) records[record.thread].push_back(record);
  }
  return records;
}

Agreement compare(const std::vector<HeddleRecord>& records, const record::Thread* recorded,
                  const SwitchNumbers& switches) {
  Agreement result;
  if (!recorded) {
    result.kind = Agreement::Kind::kUnknown;
    return result;
  }
  record::PathCursor path(recorded->path);
  if (recorded->skipped) {
    const PathWindow window = find_window(records, *recorded, switches);
    result.free_records = result.records = window.records;
    if (window.records < records.size()) result.certain_records = window.records;
    result.free_bits = window.bits;
    path.bits(window.unseen);
  }
  for (size_t i = result.free_records; i < records.size(); ++i) {
    const HeddleRecord& record = records[i];
    result.records = i + 1;
    if (record.kind != HEDDLE_BRANCH) continue;
    const auto numbers = switches.find(record.site);
    const std::vector<uint32_t>* of_switch = numbers == switches.end() ? nullptr : &numbers->second;
    const std::optional<uint32_t> way = recorded_way(path, of_switch);
    if (!way) {
      result.kind = Agreement::Kind::kBeyond;
      result.records = i;
      return result;
    }
    // Successors that are the same block have the same number.
    const auto same = [&](uint32_t one, uint64_t two) {
      return one == two || (of_switch && one < of_switch->size() && two < of_switch->size() &&
                            (*of_switch)[one] == (*of_switch)[two]);
    };
    if (!same(*way, record.value)) {
      result.kind = Agreement::Kind::kDeviates;
      result.other_way = *way;
      return result;
    }
    result.bits = path.position();
    result.certain_records = i + 1;
  }
  // All its branches agree; nothing tells whether it was to go on.
  if (path.at_end()) result.kind = Agreement::Kind::kBeyond;
  if (path.at_end() && recorded->ended) result.certain_records = records.size();
  return result;
}

}  // namespace heddle::reproduce
