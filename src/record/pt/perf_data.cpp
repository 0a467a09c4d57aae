// SPDX-License-Identifier: Apache-2.0
#include "record/pt/perf_data.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

namespace heddle::record::pt {
namespace {

// Records of perf's own (tools/perf/Documentation/perf.data-file-format.txt).
constexpr uint32_t kAuxtraceInfo = 70, kAuxtrace = 71, kCompressed = 81;
constexpr uint32_t kIntelPt = 1;  // kind of AUXTRACE_INFO
constexpr size_t kHeadBytes = 104, kRecordHead = 8;
constexpr uint64_t kMostBits = 64;

// At its place in bytes; zero behind their end, where `fits` tells.
struct Bytes {
  std::string_view data;
  template <typename T>
  T at(uint64_t offset) const {
    T value = {};
    if (fits(offset, sizeof value)) std::memcpy(&value, data.data() + offset, sizeof value);
    return value;
  }
  bool fits(uint64_t offset, uint64_t size) const { return offset <= data.size() && size <= data.size() - offset; }
};

// What stands at the end of each record: who, when, where.
struct Where {
  int32_t thread = 0;
  uint64_t time = 0;
  uint32_t core = 0;
};

std::optional<Where> read_where(const Bytes& record, uint64_t fields) {
  if (!(fields & PERF_SAMPLE_TID) || !(fields & PERF_SAMPLE_TIME) || !(fields & PERF_SAMPLE_CPU)) return std::nullopt;
  uint64_t size = 0;
  for (const uint64_t field : {PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
                               PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER})
    if (fields & field) size += 8;
  if (record.data.size() < kRecordHead + size) return std::nullopt;
  uint64_t at = record.data.size() - size;
  Where where;
  where.thread = record.at<int32_t>(at + 4);
  where.time = record.at<uint64_t>(at + 8);
  at += 16;
  for (const uint64_t field : {PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID})
    if (fields & field) at += 8;
  where.core = record.at<uint32_t>(at);
  return where;
}

// From the kernel's clock to the time stamp counter.
struct Clock {
  uint64_t shift = 0, multiplier = 0, zero = 0;
  uint64_t counter(uint64_t nanoseconds) const {
    const uint64_t since = nanoseconds - zero;
    return (since / multiplier << shift) + (since % multiplier << shift) / multiplier;
  }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : file_{bytes} {}

  base::Result<Trace> read() {
    if (file_.data.substr(0, 8) != "PERFILE2" || file_.at<uint64_t>(8) != kHeadBytes)
      return wrong("it is not a file of perf record");
    if (auto events = read_events(); !events) return events.error();
    const uint64_t begin = file_.at<uint64_t>(40), size = file_.at<uint64_t>(48);
    if (!file_.fits(begin, size)) return wrong("it is cut off");
    for (uint64_t at = begin; at < begin + size;) {
      const auto head = file_.at<perf_event_header>(at);
      if (head.size < kRecordHead || head.size > begin + size - at) return wrong("its records do not fit together");
      auto extra = take(head, {file_.data.substr(at, head.size)}, at + head.size, begin + size);
      if (!extra) return extra.error();
      at += head.size + *extra;
    }
    if (!clock_) return wrong("it has no trace of Intel PT");
    return finished();
  }

 private:
  static base::Error wrong(const std::string& why) { return {"perf.data cannot be used: " + why, ""}; }

  base::Result<void> read_events() {
    const uint64_t entry = file_.at<uint64_t>(16), begin = file_.at<uint64_t>(24), size = file_.at<uint64_t>(32);
    if (entry < PERF_ATTR_SIZE_VER0 + 16 || entry > 4096 || !file_.fits(begin, size))
      return wrong("its list of events is damaged");
    for (uint64_t at = begin; at + entry <= begin + size; at += entry) {
      perf_event_attr event = {};
      std::memcpy(static_cast<void*>(&event), file_.data.data() + at, std::min<uint64_t>(entry - 16, sizeof event));
      const uint64_t ids = file_.at<uint64_t>(at + entry - 16), bytes = file_.at<uint64_t>(at + entry - 8);
      if (!file_.fits(ids, bytes)) return wrong("its list of events is damaged");
      for (uint64_t i = 0; i + 8 <= bytes; i += 8) fields_[file_.at<uint64_t>(ids + i)] = event.sample_type;
      if (!(event.sample_type & PERF_SAMPLE_IDENTIFIER)) all_say_who_ = false;
      common_fields_ = event.sample_type;
    }
    return {};
  }

  std::optional<Where> where(const Bytes& record) const {
    if (!all_say_who_) return read_where(record, common_fields_);
    if (record.data.size() < kRecordHead + 8) return std::nullopt;
    const auto found = fields_.find(record.at<uint64_t>(record.data.size() - 8));
    return read_where(record, found == fields_.end() ? common_fields_ : found->second);
  }

  // How many bytes follow that belong to the record.
  base::Result<uint64_t> take(const perf_event_header& head, const Bytes& record, uint64_t after, uint64_t end) {
    switch (head.type) {
      case PERF_RECORD_SWITCH:
      case PERF_RECORD_SWITCH_CPU_WIDE: return add_switch(record, !(head.misc & PERF_RECORD_MISC_SWITCH_OUT));
      case PERF_RECORD_EXIT: return add_switch(record, false);
      case PERF_RECORD_LOST: trace_.lost_switches = true; break;
      case PERF_RECORD_MMAP2: add_mapping(record, record.at<uint32_t>(64) & PROT_EXEC, 72); break;
      case PERF_RECORD_MMAP: add_mapping(record, !(head.misc & PERF_RECORD_MISC_MMAP_DATA), 40); break;
      case PERF_RECORD_AUX: {
        const auto place = where(record);
        const bool is_cut = record.at<uint64_t>(24) & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL);
        if (place && is_cut) cuts_[place->core].push_back(record.at<uint64_t>(8) + record.at<uint64_t>(16));
        break;
      }
      case kAuxtraceInfo:
        if (record.at<uint32_t>(8) != kIntelPt) break;
        clock_ = Clock{record.at<uint64_t>(24), record.at<uint64_t>(32), record.at<uint64_t>(40)};
        if (clock_->multiplier == 0 || clock_->shift >= kMostBits || record.at<uint64_t>(48) == 0)
          return wrong("its clock cannot be compared with the processor's");
        break;
      case kAuxtrace: {
        const uint64_t size = record.at<uint64_t>(8);
        if (size > end - after) return wrong("its packets are cut off");
        packets_[record.at<uint32_t>(40)].push_back({record.at<uint64_t>(16), file_.data.substr(after, size)});
        return size;
      }
      case kCompressed: return wrong("it is compressed");
      default: break;
    }
    return uint64_t{0};
  }

  base::Result<uint64_t> add_switch(const Bytes& record, bool comes) {
    const auto place = where(record);
    if (!place) return wrong("its records do not say which thread, when and where");
    trace_.switches.push_back({place->time, place->core, place->thread, comes});
    return uint64_t{0};
  }

  void add_mapping(const Bytes& record, bool is_code, size_t name) {
    if (!is_code || record.data.size() <= name) return;
    const std::string_view rest = record.data.substr(name);
    const std::string file(rest.substr(0, rest.find('\0')));
    if (!file.starts_with("/") || file.starts_with("//")) return;  // such as [vdso] and //anon
    trace_.mappings.push_back({record.at<uint64_t>(16), record.at<uint64_t>(24), record.at<uint64_t>(32), file});
  }

  base::Result<Trace> finished() {
    for (Switch& change : trace_.switches) change.time = clock_->counter(change.time);
    // Who leaves at the same moment leaves first.
    std::sort(trace_.switches.begin(), trace_.switches.end(),
              [](const Switch& a, const Switch& b) { return std::tie(a.time, a.comes) < std::tie(b.time, b.comes); });
    for (auto& [core, chunks] : packets_) {
      std::sort(chunks.begin(), chunks.end(), [](const Chunk& a, const Chunk& b) { return a.offset < b.offset; });
      CoreStream stream;
      stream.core = core;
      const std::vector<uint64_t>& cuts = cuts_[core];
      uint64_t end = 0;
      for (const Chunk& chunk : chunks) {
        size_t from = 0;
        if (stream.pieces.empty() || chunk.offset != end) stream.pieces.emplace_back();
        for (const uint64_t cut : cuts) {
          if (cut < chunk.offset + from || cut > chunk.offset + chunk.bytes.size()) continue;
          stream.pieces.back() += chunk.bytes.substr(from, cut - chunk.offset - from);
          stream.pieces.emplace_back();
          from = cut - chunk.offset;
        }
        stream.pieces.back() += chunk.bytes.substr(from);
        end = chunk.offset + chunk.bytes.size();
      }
      trace_.streams.push_back(std::move(stream));
    }
    return std::move(trace_);
  }

  struct Chunk {
    uint64_t offset = 0;
    std::string_view bytes;
  };

  const Bytes file_;
  Trace trace_;
  std::map<uint64_t, uint64_t> fields_;  // of each event, by its number
  uint64_t common_fields_ = 0;
  bool all_say_who_ = true;
  std::optional<Clock> clock_;
  std::map<uint32_t, std::vector<Chunk>> packets_;  // by core
  std::map<uint32_t, std::vector<uint64_t>> cuts_;  // where packets are missing
};

}  // namespace

base::Result<Trace> read_perf_data(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace heddle::record::pt
