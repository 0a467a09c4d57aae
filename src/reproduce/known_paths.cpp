// SPDX-License-Identifier: Apache-2.0
#include "reproduce/known_paths.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "reproduce/failing_run.h"

namespace heddle::reproduce {
namespace {

bool names_thread(const HeddleRecord& record) {
  return (record.kind == HEDDLE_THREAD_CREATE || record.kind == HEDDLE_THREAD_JOIN) &&
         !(record.flags & HEDDLE_FLAG_FAILED);
}

// Whether one run shows more of the thread than another.
bool is_further(const Agreement& one, const Agreement& other) {
  const auto rank = [](const Agreement& agreement) {
    return std::tuple(agreement.bits, agreement.kind == Agreement::Kind::kBeyond, agreement.records);
  };
  return rank(one) > rank(other);
}

// What memory held before the first access of this run; the first to say so counts.
class FirstAccesses {
 public:
  explicit FirstAccesses(std::map<uint64_t, uint8_t>& known) : known_(known) {}
  void look_at(const HeddleRecord& record) {
    if (record.size == 0 || record.size > 8) return;
    switch (record.kind) {
      case HEDDLE_LOAD:
      case HEDDLE_RMW:
      case HEDDLE_CAS:
      case HEDDLE_AWAIT: take(record, record.value, true); break;
      case HEDDLE_STORE:
      case HEDDLE_FLUSH: take(record, record.value2, record.flags & HEDDLE_FLAG_REPLACED); break;
      case HEDDLE_EXTERN_WRITE: take(record, 0, false); break;
      default: break;
    }
  }

 private:
  // True: the byte was not accessed before.
  bool see(uint64_t address) {
    uint8_t& seen = seen_[address / 8];
    const auto bit = static_cast<uint8_t>(1u << address % 8);
    return !(std::exchange(seen, static_cast<uint8_t>(seen | bit)) & bit);
  }
  void take(const HeddleRecord& record, uint64_t value, bool is_known) {
    for (uint32_t i = 0; i < record.size; ++i)
      if (see(record.address + i) && is_known)
        known_.try_emplace(record.address + i, static_cast<uint8_t>(value >> (8 * i)));
  }
  std::map<uint64_t, uint8_t>& known_;
  std::unordered_map<uint64_t, uint8_t> seen_;  // by eight bytes: which of them
};

}  // namespace

bool KnownThread::has_ended() const {
  return agreement.kind == Agreement::Kind::kBeyond && !records.empty() && records.back().kind == HEDDLE_THREAD_END &&
         agreement.records == records.size();
}

uint32_t KnownPaths::number_of(const trace::Trace& trace, uint32_t thread, const std::vector<uint32_t>& numbers) {
  const auto [found, is_new] = numbers_.try_emplace(trace.thread_name(thread), static_cast<uint32_t>(threads_.size()));
  if (is_new) {
    trace::Thread entry = trace.threads[thread];
    if (entry.parent != HEDDLE_NO_THREAD) entry.parent = numbers[entry.parent];
    frame_.threads.push_back(entry);
    threads_.emplace_back();
    threads_.back().recorded = recording_.find_thread(found->first);
    if (!threads_.back().recorded) threads_.back().agreement.kind = Agreement::Kind::kUnknown;
  }
  return found->second;
}

void KnownPaths::look_at_memory(const trace::Trace& trace) {
  FirstAccesses first(first_bytes_);
  for (const trace::Event& event : trace.events) {
    first.look_at(event.record);
    if (event.record.kind != HEDDLE_ALLOC || !event.record.address) continue;
    uint64_t& size = blocks_[event.record.address];
    size = std::max(size, event.record.value);
  }
}

KnownPaths::Lesson KnownPaths::learn(const trace::Trace& trace) {
  Lesson lesson;
  if (frame_.sites.empty()) {
    frame_.header = trace.header;
    frame_.sites = trace.sites;
    frame_.globals = trace.globals;
  }
  look_at_memory(trace);
  std::vector<std::vector<HeddleRecord>> records = records_by_thread(trace);
  std::vector<Agreement> agreements(records.size());
  std::vector<uint32_t> numbers(records.size(), kNobody);
  // A thread counts if its creator has made it on its own recorded way. Creators come first.
  std::vector<bool> counts(records.size(), false);
  for (uint32_t t = 0; t < records.size(); ++t) {
    if (!counts[t] && trace.threads[t].parent != HEDDLE_NO_THREAD) continue;
    numbers[t] = number_of(trace, t, numbers);
    // Where a run failed is no operation of the way.
    while (!records[t].empty() && records[t].back().kind == HEDDLE_FAIL) records[t].pop_back();
    agreements[t] = compare(records[t], threads_[numbers[t]].recorded, switches_);
    lesson.bits += agreements[t].bits;
    lesson.deviates |= agreements[t].kind == Agreement::Kind::kDeviates;
    for (size_t i = 0; i < agreements[t].records; ++i) {
      const HeddleRecord& record = records[t][i];
      if (record.kind == HEDDLE_THREAD_CREATE && names_thread(record) && record.value < counts.size())
        counts[record.value] = true;
    }
  }
  for (uint32_t t = 0; t < records.size(); ++t) {
    if (numbers[t] == kNobody) continue;
    KnownThread& known = threads_[numbers[t]];
    if (!is_further(agreements[t], known.agreement)) continue;
    lesson.is_new = true;
    known.agreement = agreements[t];
    known.records = std::move(records[t]);
    for (HeddleRecord& record : known.records) {
      record.thread = numbers[t];
      if (names_thread(record)) record.value = record.value < numbers.size() ? numbers[record.value] : kNobody;
    }
  }
  return lesson;
}

void KnownPaths::forget() { replace_by(KnownPaths(recording_, switches_)); }

void KnownPaths::replace_by(KnownPaths&& other) {
  frame_ = std::move(other.frame_);
  threads_ = std::move(other.threads_);
  numbers_ = std::move(other.numbers_);
  first_bytes_ = std::move(other.first_bytes_);
  blocks_ = std::move(other.blocks_);
}

bool KnownPaths::is_whole() const {
  const auto is_known = [&](const record::Thread& thread) {
    return thread.is_handler || !thread.is_recorded || numbers_.contains(thread.name);
  };
  return std::all_of(threads_.begin(), threads_.end(), [](const KnownThread& thread) { return thread.is_whole(); }) &&
         std::all_of(recording_.threads.begin(), recording_.threads.end(), is_known);
}

uint64_t KnownPaths::bits() const {
  uint64_t bits = 0;
  for (const KnownThread& thread : threads_) bits += thread.agreement.bits;
  return bits;
}

uint32_t KnownPaths::find(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? kNobody : found->second;
}

}  // namespace heddle::reproduce
