// SPDX-License-Identifier: Apache-2.0
#include "trace/export_std.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "abi/semantics.h"
#include "trace/kinds.h"

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

// Variables: the ranges that remain when all accesses that share a byte are joined.
class Variables {
 public:
  explicit Variables(const Trace& trace) {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;  // first byte, last byte
    for (const Event& event : trace.events) {
      const HeddleRecord& record = event.record;
      if (!read_memory(record) && !wrote_memory(record)) continue;
      const uint64_t length = record.size == 0 ? 0 : record.size - 1u;
      ranges.emplace_back(record.address, std::max(record.address + length, record.address));
    }
    std::sort(ranges.begin(), ranges.end());
    for (const auto& [first, last] : ranges) {
      if (begins_.empty() || first > end_) {
        begins_.push_back(first);
        end_ = last;
      }
      end_ = std::max(end_, last);
    }
  }

  // Numbers count from 1 in the order of the calls.
  uint64_t number(uint64_t address) {
    const uint64_t begin = *std::prev(std::upper_bound(begins_.begin(), begins_.end(), address));
    return numbers_.emplace(begin, numbers_.size() + 1).first->second;
  }

 private:
  std::vector<uint64_t> begins_;
  uint64_t end_ = 0;
  std::unordered_map<uint64_t, uint64_t> numbers_;
};

class StdWriter {
 public:
  StdWriter(const Trace& trace, const TextSink& sink) : trace_(trace), sink_(sink), variables_(trace) {}

  StdExport write() {
    for (const Event& event : trace_.events) {
      if (is_visible(event.record)) take(event.record);
    }
    return result_;
  }

 private:
  void line(const HeddleRecord& record, const std::string& operation) {
    sink_(fmt::format("{}|{}|{}\n", trace_.thread_name(record.thread), operation, record.site));
    ++result_.lines;
  }

  void take(const HeddleRecord& record) {
    const HeddleMeaning meaning = heddle_meaning(static_cast<HeddleKind>(record.kind));
    const bool is_condition = meaning.family == HEDDLE_FAMILY_CONDITION;
    switch (meaning.effect) {
      case HEDDLE_EFFECT_CREATE:
      case HEDDLE_EFFECT_JOIN:
        if (!succeeded(record) || record.value >= trace_.threads.size()) return leave_out(record);
        return line(record, fmt::format("{}({})", meaning.effect == HEDDLE_EFFECT_CREATE ? "fork" : "join",
                                        trace_.thread_name(static_cast<uint32_t>(record.value))));
      case HEDDLE_EFFECT_ACQUIRE:
      case HEDDLE_EFFECT_SHARE:
        if (!succeeded(record)) return leave_out(record);
        if (meaning.family == HEDDLE_FAMILY_RWLOCK) ++result_.approximated[kind_name(record.kind)];
        return acquire(record, record.address);
      case HEDDLE_EFFECT_RELEASE: return succeeded(record) ? release(record, record.address) : leave_out(record);
      case HEDDLE_EFFECT_WAIT:
        if (!is_condition) return access(record);
        return succeeded(record) ? release_entirely(record) : leave_out(record);
      case HEDDLE_EFFECT_RESUME: return is_condition ? acquire_again(record) : leave_out(record);
      case HEDDLE_EFFECT_START:
      case HEDDLE_EFFECT_END: return;  // implied by fork and join
      default: return access(record);
    }
  }

  void access(const HeddleRecord& record) {
    const bool reads = read_memory(record), writes = wrote_memory(record);
    if (!reads && !writes) return leave_out(record);
    const uint64_t variable = variables_.number(record.address);
    if (reads) line(record, fmt::format("r(V{})", variable));
    if (writes) line(record, fmt::format("w(V{})", variable));
  }

  void acquire(const HeddleRecord& record, uint64_t lock) {
    if (depths_[{lock, record.thread}]++ == 0) line(record, fmt::format("acq(L{})", lock_number(lock)));
  }

  void release(const HeddleRecord& record, uint64_t lock) {
    uint64_t& depth = depths_[{lock, record.thread}];
    if (depth > 0 && --depth == 0) line(record, fmt::format("rel(L{})", lock_number(lock)));
  }

  // Waiting for a condition releases a recursive mutex entirely; resuming restores
  // its depth.
  void release_entirely(const HeddleRecord& record) {
    uint64_t& depth = depths_[{record.value, record.thread}];
    if (depth > 0) line(record, fmt::format("rel(L{})", lock_number(record.value)));
    waiting_depths_[record.thread] = std::exchange(depth, 0);
  }

  void acquire_again(const HeddleRecord& record) {
    acquire(record, record.value);
    depths_[{record.value, record.thread}] = std::max<uint64_t>(waiting_depths_[record.thread], 1);
  }

  uint64_t lock_number(uint64_t lock) { return locks_.emplace(lock, locks_.size() + 1).first->second; }
  void leave_out(const HeddleRecord& record) { ++result_.left_out[kind_name(record.kind)]; }

  const Trace& trace_;
  const TextSink& sink_;
  Variables variables_;
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> depths_;  // lock, thread: how often held
  std::map<uint32_t, uint64_t> waiting_depths_;
  std::unordered_map<uint64_t, uint64_t> locks_;
  StdExport result_;
};

}  // namespace

Result<StdExport> export_std(const Trace& trace, const TextSink& sink) {
  if (trace.header.mode == Mode::kFree) {
    return Error{"a trace of a free run has no total order, which the STD form needs", "make a controlled run"};
  }
  return StdWriter(trace, sink).write();
}

}  // namespace heddle::trace
