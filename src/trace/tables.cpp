// SPDX-License-Identifier: Apache-2.0
#include "trace/tables.h"

#include <fmt/format.h>

#include "trace/kinds.h"
#include "trace/varint.h"

namespace heddle::trace {
namespace {

void put(std::string* out, uint64_t value) {
  unsigned char bytes[kMaxVarintBytes];
  const unsigned char* end = put_varint(bytes, value);
  out->append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(end - bytes));
}

void put(std::string* out, std::string_view text) {
  put(out, uint64_t{text.size()});
  out->append(text);
}

// Reads fields one after the other; after the first that is not there, all
// further ones are zero and `good` stays false.
class Fields {
 public:
  explicit Fields(std::string_view bytes)
      : in_(reinterpret_cast<const unsigned char*>(bytes.data())), end_(in_ + bytes.size()) {}

  bool good() const { return good_; }
  bool at_end() const { return good_ && in_ == end_; }

  uint64_t number(uint64_t highest = UINT64_MAX) {
    uint64_t value = 0;
    const unsigned char* after = good_ ? get_varint(in_, end_, &value) : nullptr;
    if (!after || value > highest) {
      good_ = false;
      return 0;
    }
    in_ = after;
    return value;
  }

  uint32_t narrow() { return static_cast<uint32_t>(number(UINT32_MAX)); }

  std::string text() {
    const uint64_t size = number(kMaxString);
    if (!good_ || size > static_cast<uint64_t>(end_ - in_)) {
      good_ = false;
      return {};
    }
    std::string text(reinterpret_cast<const char*>(in_), size);
    in_ += size;
    return text;
  }

  std::string finish() const {
    if (!good_) return "a field is cut off or out of range";
    return in_ == end_ ? "" : "bytes are left over after the last field";
  }

 private:
  const unsigned char* in_;
  const unsigned char* end_;
  bool good_ = true;
};

}  // namespace

std::string ThreadRule::add(const Thread& thread) {
  const uint32_t number = count();
  if (number >= kMaxThreads) return fmt::format("more than {} threads", kMaxThreads);
  if (number == 0) {
    if (thread.parent != HEDDLE_NO_THREAD) return "thread 0 has a parent";
    if (thread.child_number != 0) return "thread 0 has a child number";
    depths_.push_back(0);
    return {};
  }
  if (thread.parent >= number) {
    return fmt::format("thread {} has parent {}, which is not created before it", number,
                       thread.parent == HEDDLE_NO_THREAD ? "none" : std::to_string(thread.parent));
  }
  const uint32_t depth = depths_[thread.parent] + 1;
  if (depth > kMaxThreadDepth) return fmt::format("thread {} is nested deeper than {}", number, kMaxThreadDepth);
  if (!taken_.insert(uint64_t{thread.parent} << 32 | thread.child_number).second) {
    return fmt::format("thread {} is child {} of thread {}, as one before it", number, thread.child_number,
                       thread.parent);
  }
  depths_.push_back(depth);
  return {};
}

void encode_header(const Header& header, std::string* payload) {
  put(payload, header.program);
  put(payload, header.module_hash);
  put(payload, static_cast<uint64_t>(header.mode));
  put(payload, header.memory_model);
  put(payload, header.strategy);
  put(payload, header.seed);
  put(payload, header.instrumentation_version);
}

std::string decode_header(std::string_view payload, Header* header) {
  Fields fields(payload);
  header->program = fields.text();
  header->module_hash = fields.text();
  header->mode = static_cast<Mode>(fields.number(1));
  header->memory_model = fields.text();
  header->strategy = fields.text();
  header->seed = fields.number();
  header->instrumentation_version = fields.narrow();
  return fields.finish();
}

void encode_thread(const Thread& thread, std::string* payload) {
  put(payload, thread.parent == HEDDLE_NO_THREAD ? 0 : uint64_t{thread.parent} + 1);
  put(payload, thread.child_number);
}

std::string decode_threads(std::string_view payload, ThreadRule* rule, std::vector<Thread>* threads) {
  Fields fields(payload);
  while (fields.good() && !fields.at_end()) {
    const uint64_t parent = fields.number(HEDDLE_NO_THREAD);
    const Thread thread{parent == 0 ? HEDDLE_NO_THREAD : static_cast<uint32_t>(parent - 1), fields.narrow()};
    if (!fields.good()) break;
    std::string problem = rule->add(thread);
    if (!problem.empty()) return problem;
    threads->push_back(thread);
  }
  return fields.finish();
}

void encode_site(const Site& site, std::string* payload) {
  put(payload, site.file);
  put(payload, site.line);
  put(payload, site.column);
  put(payload, site.function);
  put(payload, site.variable);
}

std::string decode_sites(std::string_view payload, std::vector<Site>* sites) {
  Fields fields(payload);
  while (fields.good() && !fields.at_end()) {
    Site site{fields.text(), fields.narrow(), fields.narrow(), fields.text(), fields.text()};
    if (!fields.good()) break;
    if (sites->size() >= kMaxSites) return fmt::format("more than {} sites", kMaxSites);
    sites->push_back(std::move(site));
  }
  return fields.finish();
}

void encode_global(const Global& global, std::string* payload) {
  put(payload, global.name);
  put(payload, global.address);
  put(payload, global.size);
}

std::string decode_globals(std::string_view payload, std::vector<Global>* globals) {
  Fields fields(payload);
  while (fields.good() && !fields.at_end()) {
    Global global{fields.text(), fields.number(), fields.number()};
    if (!fields.good()) break;
    if (globals->size() >= kMaxGlobals) return fmt::format("more than {} globals", kMaxGlobals);
    globals->push_back(std::move(global));
  }
  return fields.finish();
}

void encode_checkpoint(const Progress& progress, std::string* payload) {
  put(payload, progress.events);
  put(payload, progress.next_sequence);
}

std::string decode_checkpoint(std::string_view payload, Progress* progress) {
  Fields fields(payload);
  progress->events = fields.number();
  progress->next_sequence = fields.number();
  return fields.finish();
}

void encode_end(const Ending& ending, uint64_t events, std::string* payload) {
  put(payload, static_cast<uint64_t>(ending.outcome));
  put(payload, ending.detail);
  put(payload, ending.message);
  put(payload, events);
}

std::string decode_end(std::string_view payload, Ending* ending, uint64_t* events) {
  Fields fields(payload);
  ending->outcome = static_cast<HeddleOutcome>(fields.number(HEDDLE_OUTCOME_HANG));
  ending->detail = fields.number();
  ending->message = fields.text();
  *events = fields.number();
  return fields.finish();
}

std::string record_problem(const HeddleRecord& record, size_t threads, size_t sites) {
  if (record.thread >= threads) return fmt::format("thread {} is not in the table of {}", record.thread, threads);
  if (!find_kind(record.kind)) return fmt::format("kind {} is not a kind of event", record.kind);
  if (!order_name(record.order)) return fmt::format("order {} is not a memory order", record.order);
  if (record.site != 0 && record.site >= sites) {
    return fmt::format("site {} is not in the table of {}", record.site, sites);
  }
  return {};
}

}  // namespace heddle::trace
