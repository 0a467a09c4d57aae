// SPDX-License-Identifier: Apache-2.0
#include "propagate/sanitize/sanitized_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "naming/objects.h"
#include "trace/kinds.h"

namespace heddle::propagate {
namespace {

using naming::Object;
using naming::ObjectKind;

// Collects pieces of text and hands them on in large ones.
class TextBuffer {
 public:
  explicit TextBuffer(const trace::TextSink& sink) : sink_(sink), bytes_(kSize) {}

  void put(std::string_view text) {
    if (text.size() > kSize - used_) flush();
    if (text.size() > kSize) return sink_(text);
    std::memcpy(bytes_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  void put(char letter) { put({&letter, 1}); }
  void put_number(uint64_t number) {
    constexpr size_t kMostDigits = 20;
    if (kMostDigits > kSize - used_) flush();
    char* const begin = bytes_.data() + used_;
    used_ += static_cast<size_t>(std::to_chars(begin, begin + kMostDigits, number).ptr - begin);
  }
  void flush() {
    sink_({bytes_.data(), used_});
    used_ = 0;
  }

 private:
  static constexpr size_t kSize = 1 << 16;
  const trace::TextSink& sink_;
  std::vector<char> bytes_;
  size_t used_ = 0;
};

// Names and places are made once and copied into the lines: a line costs little
// more than its bytes.
class SanitizedText {
 public:
  SanitizedText(const trace::Trace& trace, const trace::TextSink& sink)
      : trace_(trace), text_(sink), order_(trace), sanitizer_(trace, order_) {
    for (uint32_t i = 0; i < trace.threads.size(); ++i) threads_.push_back(trace.thread_name(i));
    for (uint32_t i = 0; i < trace.sites.size(); ++i) sites_.push_back(" @" + trace::site_text(trace, i) + '\n');
    std::unordered_map<std::string, uint32_t> seen;
    for (const Object& object : sanitizer_.objects()) objects_.push_back(name_of(object, seen));
  }

  void write(const SanitizedTextOptions& options) {
    if (options.tables) write_tables();
    if (options.merged) {
      for (const uint32_t event : order_.events()) write_event(event);
    } else {
      for (const uint32_t thread : naming::threads_in_tree_order(trace_)) {
        for (const uint32_t event : order_.events_of(thread)) write_event(event);
      }
    }
    text_.flush();
  }

 private:
  std::string name_of(const Object& object, std::unordered_map<std::string, uint32_t>& seen) const {
    const auto named = [&](const char* kind) {
      return fmt::format("{} {}#{}", kind, threads_[object.thread], object.index);
    };
    switch (object.kind) {
      case ObjectKind::kGlobal: {
        const std::string& name = trace_.globals[object.index].name;
        const uint32_t number = ++seen[name];
        return "global " + name + (number > 1 ? fmt::format("~{}", number) : "");
      }
      case ObjectKind::kHeap: return named("heap");
      case ObjectKind::kStack: return named("stack");
      case ObjectKind::kUnknown: break;
    }
    return named("unknown");
  }

  static bool is_exchange(const HeddleRecord& record) { return record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS; }

  std::string event_name(uint32_t event) const {
    const HeddleRecord& record = trace_.events[event].record;
    return fmt::format("{}:{}{}", threads_[record.thread], trace::is_visible(record) ? "" : "<", record.index);
  }

  void write_tables() {
    std::vector<bool> is_used(objects_.size(), false);
    const auto use = [&](Reference reference) {
      if (reference.kind == Reference::Kind::kObject || reference.kind == Reference::Kind::kEndedObject)
        is_used[reference.number] = true;
    };
    for (uint32_t event = 0; event < trace_.events.size(); ++event) {
      use(sanitizer_.address(event));
      use(sanitizer_.value(event));
      if (is_exchange(trace_.events[event].record)) use(sanitizer_.second_value(event));
    }
    for (uint32_t i = 0; i < objects_.size(); ++i) {
      const Object& object = sanitizer_.objects()[i];
      if (!is_used[i]) continue;
      const bool always = object.born == naming::kNoEvent;
      const std::string valid = always ? "always"
                                       : fmt::format("[{}, {}]", event_name(object.born),
                                                     object.died == naming::kNoEvent ? "end" : event_name(object.died));
      text_.put(fmt::format("object {} := {{address {:#x}, thread {}, index {}, size {}, valid {}}}\n", objects_[i],
                            object.address, object.thread == HEDDLE_NO_THREAD ? "-" : threads_[object.thread],
                            object.kind == ObjectKind::kGlobal ? 0 : object.index, object.size, valid));
    }
    for (uint32_t i = 0; i < threads_.size(); ++i) text_.put(fmt::format("thread {} := {}\n", i, threads_[i]));
  }

  void write_address(uint64_t address, Reference reference) {
    if (reference.kind != Reference::Kind::kObject) return text_.put(address_text(address, reference));
    text_.put(objects_[reference.number]);
    const uint64_t offset = address - sanitizer_.objects()[reference.number].address;
    if (offset == 0) return;
    text_.put('+');
    text_.put_number(offset);
  }

  std::string address_text(uint64_t address, Reference reference) const {
    switch (reference.kind) {
      case Reference::Kind::kObject:
      case Reference::Kind::kEndedObject: {
        const Object& object = sanitizer_.objects()[reference.number];
        const char* const end = object.kind == ObjectKind::kHeap ? " (freed)" : " (ended)";
        return fmt::format("{}{}{}", objects_[reference.number],
                           address == object.address ? "" : fmt::format("+{}", address - object.address),
                           reference.kind == Reference::Kind::kEndedObject ? end : "");
      }
      case Reference::Kind::kThread: return threads_[reference.number];
      case Reference::Kind::kFunction: return "function " + trace_.sites[reference.number].function;
      case Reference::Kind::kNumber: break;
    }
    if (address == 0) return "null";
    return address < naming::kFirstPage ? fmt::format("null+{}", address) : fmt::format("{:#x}", address);
  }

  void write_value(uint64_t value, Reference reference) {
    if (reference.kind == Reference::Kind::kNumber) return text_.put_number(value);
    if (reference.kind != Reference::Kind::kThread) text_.put('&');
    write_address(value, reference);
  }

  // The line that naming::canonical_line gives, but for identities of threads and functions.
  void write_event(uint32_t place) {
    const HeddleRecord& record = trace_.events[place].record;
    text_.put(threads_[record.thread]);
    text_.put(' ');
    text_.put_number(record.index);
    text_.put(' ');
    const trace::KindInfo* info = trace::find_kind(record.kind);
    const bool exchanges = is_exchange(record);
    if (info && info->kind != HEDDLE_TEXT &&
        (info->value == trace::Meaning::kNumber || info->value == trace::Meaning::kNone) &&
        (info->value2 == trace::Meaning::kNumber || info->value2 == trace::Meaning::kNone) &&
        info->family != trace::Family::kProgram) {
      text_.put(info->name);
      const bool has_address = info->has_address || record.address != 0;
      if (has_address) {
        text_.put(' ');
        write_address(record.address, sanitizer_.address(place));
      }
      if (info->has_size || record.size != 0) {
        text_.put(has_address && info->has_size ? " " : " size=");
        text_.put_number(record.size);
      }
      const bool second = exchanges || record.value2 != 0;
      if (info->value != trace::Meaning::kNone || record.value != 0 || second) {
        text_.put(" = ");
        write_value(record.value, sanitizer_.value(place));
        if (second) {
          text_.put(exchanges ? " -> " : ", ");
          write_value(record.value2, sanitizer_.second_value(place));
        }
      }
      write_attributes(record);
    } else {
      write_rarer_event(record, trace_.events[place]);
    }
    text_.put(record.site < sites_.size() ? sites_[record.site] : sites_[0]);
  }

  void write_attributes(const HeddleRecord& record) {
    if (record.order != HEDDLE_ORDER_NOT_ATOMIC) {
      const char* order = trace::order_name(record.order);
      text_.put(order ? fmt::format(" {}", order) : fmt::format(" order={}", record.order));
    }
    for (uint8_t bit = 0; record.flags >> bit; ++bit) {
      if (record.flags >> bit & 1) text_.put(fmt::format(" {}", trace::flag_name(bit)));
    }
  }

  // A function's address says nothing that its place does not; the rest as src/trace prints it.
  void write_rarer_event(const HeddleRecord& record, const trace::Event& event) {
    if (record.kind == HEDDLE_FUNCTION_ENTER || record.kind == HEDDLE_FUNCTION_EXIT) {
      text_.put(trace::kind_name(record.kind));
      return;
    }
    const auto place = static_cast<uint32_t>(&event - trace_.events.data());
    const std::string line = trace::event_text(trace_, event, [&](const trace::Event&, uint64_t address) {
      return address_text(address, address == record.address ? sanitizer_.address(place) : sanitizer_.value(place));
    });
    const std::string beginning = fmt::format("{} {} ", threads_[record.thread], record.index);
    const std::string end = " @" + trace::site_text(trace_, record.site);
    text_.put(std::string_view(line).substr(beginning.size(), line.size() - beginning.size() - end.size()));
  }

  const trace::Trace& trace_;
  TextBuffer text_;
  naming::EventOrder order_;
  Sanitizer sanitizer_;
  std::vector<std::string> threads_, sites_, objects_;
};

}  // namespace

void sanitized_text(const trace::Trace& trace, const trace::TextSink& sink, const SanitizedTextOptions& options) {
  SanitizedText(trace, sink).write(options);
}

}  // namespace heddle::propagate
