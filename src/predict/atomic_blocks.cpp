// SPDX-License-Identifier: Apache-2.0
#include "predict/atomic_blocks.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "causal/sections.h"

namespace heddle::predict {

namespace {

using causal::SectionStep;

struct Call {
  uint64_t number = 0;  // among all calls of the thread
  uint32_t site = 0;    // where it begins
  uint32_t first = 0;   // operation
  bool is_named = false;
};

using SectionKind = std::pair<uint32_t, uint32_t>;  // sites of its beginning and of the first operation in it

struct Section {
  uint64_t lock = 0;
  uint32_t first = 0;
  SectionKind kind;
  std::vector<Call> calls;  // when it began
};

// Sections of one lock in one call, as long as none comes again.
struct Row {
  AtomicBlock block;
  std::vector<SectionKind> kinds;
};

class ThreadReader {
 public:
  ThreadReader(const trace::Trace& trace, uint32_t thread, const std::vector<std::string>& functions,
               std::vector<AtomicBlock>& found)
      : trace_(trace), thread_(thread), functions_(functions), found_(found) {}

  void read(const HeddleRecord& record) {
    if (record.kind == HEDDLE_FUNCTION_ENTER) return begin_call(record);
    if (record.kind == HEDDLE_FUNCTION_EXIT) return end_call(record);
    if (!trace::is_visible(record)) return;
    last_ = record.index;
    for (Section& section : sections_)
      if (section.kind.second == 0 && section.first != record.index) section.kind.second = record.site;
    const SectionStep step = causal::section_step(record);
    if (step.kind == SectionStep::Kind::kRelease) return end_section(step.lock, record);
    if (step.kind != SectionStep::Kind::kNone) sections_.push_back({step.lock, record.index, {record.site, 0}, calls_});
  }

  void finish() {
    while (!calls_.empty()) leave_call();
    for (auto& [where, row] : rows_) found_.push_back(row.block);
  }

 private:
  void begin_call(const HeddleRecord& record) {
    const std::string& name = trace_.sites[record.site < trace_.sites.size() ? record.site : 0].function;
    const bool is_named = std::any_of(functions_.begin(), functions_.end(), [&](const std::string& pattern) {
      return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
    calls_.push_back({++number_of_calls_, record.site, record.index, is_named});
  }

  void end_call(const HeddleRecord& record) {
    const auto is_it = [&](const Call& call) { return call.site == record.site; };
    if (std::none_of(calls_.begin(), calls_.end(), is_it)) return;
    while (!is_it(calls_.back())) leave_call();  // by a jump
    leave_call();
  }

  void leave_call() {
    const Call& call = calls_.back();
    if (call.is_named && last_ && *last_ >= call.first) found_.push_back({thread_, call.first, *last_, 0, call.site});
    for (auto row = rows_.lower_bound({call.number, 0}); row != rows_.end() && row->first.first == call.number;
         row = rows_.erase(row))
      found_.push_back(row->second.block);
    calls_.pop_back();
  }

  void end_section(uint64_t lock, const HeddleRecord& record) {
    const auto begun = std::find_if(sections_.rbegin(), sections_.rend(),
                                    [&](const Section& section) { return section.lock == lock; });
    if (begun == sections_.rend()) return;
    const Section section = std::move(*begun);
    sections_.erase(std::prev(begun.base()));
    size_t common = 0;
    while (common < section.calls.size() && common < calls_.size() &&
           section.calls[common].number == calls_[common].number)
      ++common;
    if (common == 0) {
      found_.push_back({thread_, section.first, record.index, lock, section.kind.first});
      return;
    }
    const Call& owner = calls_[common - 1];
    Row& row = rows_[{owner.number, lock}];
    const bool comes_again = std::find(row.kinds.begin(), row.kinds.end(), section.kind) != row.kinds.end();
    if (comes_again) found_.push_back(row.block);
    if (comes_again || row.kinds.empty()) row = {{thread_, section.first, 0, lock, owner.site}, {}};
    row.kinds.push_back(section.kind);
    row.block.last = record.index;
    if (record.kind != HEDDLE_COND_WAIT) return;
    found_.push_back(row.block);  // who waits wants others to come in between
    rows_.erase({owner.number, lock});
  }

  const trace::Trace& trace_;
  const uint32_t thread_;
  const std::vector<std::string>& functions_;
  std::vector<AtomicBlock>& found_;
  uint64_t number_of_calls_ = 0;
  std::optional<uint32_t> last_;  // operation
  std::vector<Call> calls_;
  std::vector<Section> sections_;                      // that have begun
  std::map<std::pair<uint64_t, uint64_t>, Row> rows_;  // by call and lock
};

}  // namespace

AtomicBlocks::AtomicBlocks(std::vector<AtomicBlock> blocks) {
  std::sort(blocks.begin(), blocks.end(), [](const AtomicBlock& one, const AtomicBlock& other) {
    return std::tuple(one.thread, one.first, one.last) < std::tuple(other.thread, other.first, other.last);
  });
  for (AtomicBlock& block : blocks) {
    if (block.thread >= threads_.size()) threads_.resize(block.thread + 1);
    OfThread& of = threads_[block.thread];
    const size_t number = of.blocks.size();
    const bool is_longest = number == 0 || of.blocks[of.longest.back()].last < block.last;
    of.longest.push_back(is_longest ? number : of.longest.back());
    of.blocks.push_back(block);
  }
}

const AtomicBlock* AtomicBlocks::around(causal::EventId first, causal::EventId last) const {
  if (first.thread >= threads_.size()) return nullptr;
  const OfThread& of = threads_[first.thread];
  const auto after = std::upper_bound(of.blocks.begin(), of.blocks.end(), first.index,
                                      [](uint32_t index, const AtomicBlock& block) { return index < block.first; });
  if (after == of.blocks.begin()) return nullptr;
  const AtomicBlock& block = of.blocks[of.longest[static_cast<size_t>(after - of.blocks.begin()) - 1]];
  return block.last >= last.index ? &block : nullptr;
}

AtomicBlocks find_atomic_blocks(const trace::Trace& trace, const std::vector<std::string>& functions) {
  std::vector<AtomicBlock> found;
  std::vector<ThreadReader> readers;
  for (uint32_t thread = 0; thread < trace.threads.size(); ++thread)
    readers.emplace_back(trace, thread, functions, found);
  for (const trace::Event& event : trace.events) readers[event.record.thread].read(event.record);
  for (ThreadReader& reader : readers) reader.finish();
  return AtomicBlocks(std::move(found));
}

}  // namespace heddle::predict
