// SPDX-License-Identifier: Apache-2.0
#include "trace/export_perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "abi/semantics.h"
#include "trace/kinds.h"
#include "trace/timeline.h"

namespace heddle::trace {
namespace {

// An event takes a part of its tick, so that slices of neighbours do not touch
// and a critical section surely encloses the events that open and close it.
constexpr uint64_t kTick = 10;
constexpr uint64_t kEventLength = 8;

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    }
  }
  return result + '"';
}

HeddleMeaning meaning_of(const HeddleRecord& record) { return heddle_meaning(static_cast<HeddleKind>(record.kind)); }

// The lock that the event takes, if any.
std::optional<uint64_t> taken_lock(const HeddleRecord& record) {
  const HeddleMeaning meaning = meaning_of(record);
  switch (meaning.effect) {
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_SHARE: return succeeded(record) ? std::optional(record.address) : std::nullopt;
    case HEDDLE_EFFECT_RESUME:
      return meaning.family == HEDDLE_FAMILY_CONDITION ? std::optional(record.value) : std::nullopt;
    default: return std::nullopt;
  }
}

// The lock that the event releases, if any.
std::optional<uint64_t> released_lock(const HeddleRecord& record) {
  const HeddleMeaning meaning = meaning_of(record);
  if (!succeeded(record)) return std::nullopt;
  if (meaning.effect == HEDDLE_EFFECT_RELEASE) return record.address;
  const bool waits = meaning.effect == HEDDLE_EFFECT_WAIT && meaning.family == HEDDLE_FAMILY_CONDITION;
  return waits ? std::optional(record.value) : std::nullopt;
}

class PerfettoWriter {
 public:
  PerfettoWriter(const Trace& trace, const TextSink& sink, const AddressNamer& namer)
      : trace_(trace), sink_(sink), namer_(namer), held_(trace.threads.size()) {}

  void write() {
    sink_("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    item(fmt::format(R"("ph":"M","pid":1,"name":"process_name","args":{{"name":{}}})",
                     json_string(trace_.header.program)));
    for (uint32_t i = 0; i < trace_.threads.size(); ++i) {
      item(fmt::format(R"("ph":"M","pid":1,"tid":{0},"name":"thread_name","args":{{"name":{1}}})", i + 1,
                       json_string(trace_.thread_name(i))));
      item(fmt::format(R"("ph":"M","pid":1,"tid":{0},"name":"thread_sort_index","args":{{"sort_index":{0}}})", i + 1));
    }
    const std::vector<uint64_t> moments = timeline(trace_);
    // In the order of time, so that an arrow's beginning is known before its end.
    std::vector<size_t> places(trace_.events.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::sort(places.begin(), places.end(),
              [&](size_t a, size_t b) { return std::pair(moments[a], a) < std::pair(moments[b], b); });
    for (const size_t place : places) {
      if (trace_.events[place].record.thread < held_.size()) event(trace_.events[place], moments[place] * kTick);
    }
    const uint64_t end = places.empty() ? 0 : (moments[places.back()] + 1) * kTick;
    for (uint32_t thread = 0; thread < held_.size(); ++thread) close_all(thread, end);
    sink_("\n]}\n");
  }

 private:
  struct Section {
    uint64_t lock;
    uint64_t begin;
    std::string name;
  };

  // Time is written in microseconds with a fraction: a tick is one of them.
  static std::string time(uint64_t ticks) { return fmt::format("{}.{}", ticks / kTick, ticks % kTick); }

  void item(const std::string& fields) {
    sink_(first_ ? "\n{" : ",\n{");
    first_ = false;
    sink_(fields + "}");
  }

  void slice(uint32_t thread, const std::string& name, const char* category, uint64_t begin, uint64_t end,
             const std::string& details) {
    item(fmt::format(R"("ph":"X","pid":1,"tid":{},"cat":"{}","name":{},"ts":{},"dur":{},"args":{{{}}})", thread + 1,
                     category, json_string(name), time(begin), time(end - begin), details));
  }

  void arrow(bool begins, uint64_t id, uint32_t thread, uint64_t at, const char* category) {
    item(fmt::format(R"("ph":"{}"{},"pid":1,"tid":{},"cat":"{}","name":"{}","id":{},"ts":{})", begins ? 's' : 'f',
                     begins ? "" : R"(,"bp":"e")", thread + 1, category, category, id, time(at + 1)));
  }

  std::string name_of(const Event& event, uint64_t address) const {
    return namer_ ? namer_(event, address) : fmt::format("{:#x}", address);
  }

  void event(const Event& event, uint64_t at) {
    const HeddleRecord& record = event.record;
    const KindInfo* info = find_kind(record.kind);
    if (const auto lock = taken_lock(record)) {
      held_[record.thread].push_back({*lock, at, "holds " + name_of(event, *lock)});
    }
    const std::string details = fmt::format(R"("event":{},"place":{})", json_string(event_text(trace_, event, namer_)),
                                            json_string(site_text(trace_, record.site)));
    if (info && info->synchronises) {
      slice(record.thread, info->name, "synchronisation", at, at + kEventLength, details);
    } else {
      item(fmt::format(R"("ph":"i","s":"t","pid":1,"tid":{},"cat":"event","name":{},"ts":{},"args":{{{}}})",
                       record.thread + 1, json_string(kind_name(record.kind)), time(at), details));
    }
    arrows(record, at);
    if (const auto lock = released_lock(record)) close(record.thread, *lock, at + kEventLength + 1);
  }

  void arrows(const HeddleRecord& record, uint64_t at) {
    const auto begin = [&](auto& starts, uint64_t key, const char* category) {
      starts[key] = {next_arrow_, record.thread};
      arrow(true, next_arrow_++, record.thread, at, category);
    };
    const auto end = [&](auto& starts, uint64_t key, const char* category) {
      const auto start = starts.find(key);
      if (start == starts.end() || start->second.second == record.thread) return;
      arrow(false, start->second.first, record.thread, at, category);
      starts.erase(start);
    };
    const uint8_t effect = meaning_of(record).effect;
    if (effect == HEDDLE_EFFECT_CREATE && succeeded(record)) begin(creations_, record.value, "create");
    if (effect == HEDDLE_EFFECT_START) end(creations_, record.thread, "create");
    if (effect == HEDDLE_EFFECT_END) begin(ends_, record.thread, "join");
    if (effect == HEDDLE_EFFECT_JOIN && succeeded(record)) end(ends_, record.value, "join");
    if (const auto lock = released_lock(record)) begin(releases_, *lock, "lock");
    if (const auto lock = taken_lock(record)) end(releases_, *lock, "lock");
  }

  // Slices of one track must nest. Where locks do not, those taken later are cut
  // in two.
  void close(uint32_t thread, uint64_t lock, uint64_t at) {
    std::vector<Section>& sections = held_[thread];
    const auto found =
        std::find_if(sections.rbegin(), sections.rend(), [&](const Section& s) { return s.lock == lock; });
    if (found == sections.rend()) return;
    const size_t place = static_cast<size_t>(sections.rend() - found) - 1;
    for (size_t i = sections.size(); i-- > place;) {
      slice(thread, sections[i].name, "lock", sections[i].begin, at, "");
      sections[i].begin = at;
    }
    sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void close_all(uint32_t thread, uint64_t at) {
    for (; !held_[thread].empty(); held_[thread].pop_back()) {
      const Section& section = held_[thread].back();
      slice(thread, section.name + " (to the end)", "lock", section.begin, at, "");
    }
  }

  using Starts = std::map<uint64_t, std::pair<uint64_t, uint32_t>>;  // what: arrow, thread

  const Trace& trace_;
  const TextSink& sink_;
  const AddressNamer& namer_;
  std::vector<std::vector<Section>> held_;  // by thread, oldest first
  Starts creations_, ends_, releases_;
  uint64_t next_arrow_ = 1;
  bool first_ = true;
};

}  // namespace

void export_perfetto(const Trace& trace, const TextSink& sink, const AddressNamer& namer) {
  PerfettoWriter(trace, sink, namer).write();
}

}  // namespace heddle::trace
