// SPDX-License-Identifier: Apache-2.0
#include "report/narration.h"

#include <algorithm>

#include "abi/store_buffer.h"
#include "report/action_text.h"
#include "report/shared_words.h"
#include "trace/kinds.h"

namespace heddle::report {
namespace {

using trace::Event;

class Narrator {
 public:
  explicit Narrator(const naming::Names& names)
      : names_(names),
        trace_(names.trace()),
        shared_(trace_),
        buffers_(trace_.threads.size()),
        has_buffers_(trace_.header.memory_model == "tso" || trace_.header.memory_model == "pso") {}

  std::vector<NarratedStep> narrate() {
    for (size_t i = 0; i < trace_.events.size(); ++i) {
      const HeddleRecord& record = trace_.events[i].record;
      if (record.thread >= buffers_.size()) continue;
      if (trace::is_visible(record) || record.kind == HEDDLE_FLUSH || record.kind == HEDDLE_WAITING) add(i, record);
    }
    return std::move(steps_);
  }

 private:
  void add(size_t event, const HeddleRecord& record) {
    NarratedStep step;
    step.event = event;
    step.thread = record.thread;
    step.site = record.site < trace_.sites.size() ? record.site : 0;
    step.kind = record.kind;
    step.number = record.kind == HEDDLE_WAITING ? 0 : ++steps_so_far_;
    const Through through = follow_buffer(record);
    step.action = action_text(names_, trace_.events[event], through);
    step.mark = mark_of(record, through);
    step.is_quiet = is_quiet(record);
    steps_.push_back(std::move(step));
  }

  bool is_quiet(const HeddleRecord& record) const {
    if (accesses_memory(record)) return !trace::find_kind(record.kind)->synchronises && !shared_.touched_by(record);
    if (record.kind == HEDDLE_ALLOC || record.kind == HEDDLE_FREE) return shared_.is_block_of_thread_start(record);
    return record.kind == HEDDLE_THREAD_START;
  }

  Through follow_buffer(const HeddleRecord& record) {
    if (!has_buffers_) return Through::kMemory;
    std::vector<HeddleRecord>& buffer = buffers_[record.thread];
    const auto overlaps = [&](const HeddleRecord& store) {
      return store.address < record.address + record.size && record.address < store.address + store.size;
    };
    if (record.kind == HEDDLE_FLUSH) {
      std::erase_if(buffer, [&](const HeddleRecord& store) { return store.index == record.index; });
    } else if (heddle_is_buffered(record.kind, record.order, record.flags)) {
      buffer.push_back(record);
      return Through::kBuffer;
    } else if (record.kind == HEDDLE_LOAD && std::any_of(buffer.begin(), buffer.end(), overlaps)) {
      return Through::kBuffer;
    }
    return Through::kMemory;
  }

  static Mark mark_of(const HeddleRecord& record, Through through) {
    switch (record.kind) {
      case HEDDLE_FAIL: return Mark::kFails;
      case HEDDLE_EXIT: return record.value ? Mark::kFails : Mark::kPlain;
      case HEDDLE_WAITING: return Mark::kWaits;
      case HEDDLE_FLUSH: return Mark::kReachesMemory;
      default: return through == Through::kBuffer ? Mark::kBuffered : Mark::kPlain;
    }
  }

  const naming::Names& names_;
  const trace::Trace& trace_;
  const SharedWords shared_;
  std::vector<std::vector<HeddleRecord>> buffers_;  // by thread, oldest first
  const bool has_buffers_;
  size_t steps_so_far_ = 0;
  std::vector<NarratedStep> steps_;
};

}  // namespace

std::vector<NarratedStep> narrate(const naming::Names& names) { return Narrator(names).narrate(); }

std::map<uint32_t, std::string> first_functions(const trace::Trace& trace, const std::vector<NarratedStep>& steps) {
  std::map<uint32_t, std::string> functions;
  for (const NarratedStep& step : steps) {
    std::string& function = functions[step.thread];
    if (function.empty()) function = trace.thread_name(step.thread) == "T0" ? "main" : trace.sites[step.site].function;
  }
  return functions;
}

}  // namespace heddle::report
