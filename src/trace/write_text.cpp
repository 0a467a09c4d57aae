// SPDX-License-Identifier: Apache-2.0
//
// The writing half of text.h.
#include <fmt/format.h>

#include <cstring>

#include "trace/kinds.h"
#include "trace/text.h"
#include "trace/text_syntax.h"

namespace heddle::trace {
namespace {

class EventPrinter {
 public:
  EventPrinter(const Trace& trace, const Event& event, const AddressNamer& namer)
      : trace_(trace), event_(event), record_(event.record), namer_(namer), info_(find_kind(record_.kind)) {}

  std::string print() {
    line_ = fmt::format("{} {} {}", trace_.thread_name(record_.thread), record_.index, kind_name(record_.kind));
    if (!print_piece_of_text()) {
      print_place();
      print_values();
      if (record_.order != HEDDLE_ORDER_NOT_ATOMIC) {
        const char* order = order_name(record_.order);
        line_ += order ? fmt::format(" {}", order) : fmt::format(" order={}", record_.order);
      }
      print_flags(record_.flags);
    }
    print_site();
    return std::move(line_);
  }

 private:
  bool has(Meaning KindInfo::* field) const { return info_ && info_->*field != Meaning::kNone; }

  // The bytes of a TEXT record as a text, where that loses nothing.
  bool print_piece_of_text() {
    if (record_.kind != HEDDLE_TEXT || record_.size > HEDDLE_TEXT_BYTES || record_.flags > 1 || record_.order != 0) {
      return false;
    }
    char bytes[HEDDLE_TEXT_BYTES];
    std::memcpy(bytes, &record_.address, 8);
    std::memcpy(bytes + 8, &record_.value, 8);
    std::memcpy(bytes + 16, &record_.value2, 8);
    for (size_t i = record_.size; i < sizeof bytes; ++i) {
      if (bytes[i] != 0) return false;
    }
    line_ += ' ' + quote({bytes, record_.size}) + (record_.flags ? " more" : "");
    return true;
  }

  void print_place() {
    const bool address = (info_ && info_->has_address) || record_.address != 0;
    const bool size = (info_ && info_->has_size) || record_.size != 0;
    if (address) line_ += ' ' + address_text(record_.address, !info_ || info_->family != Family::kProgram);
    if (size && address && info_ && info_->has_size) {
      line_ += fmt::format(" {}", record_.size);
    } else if (size) {
      line_ += fmt::format(" size={}", record_.size);
    }
  }

  void print_values() {
    const bool update = record_.kind == HEDDLE_RMW || record_.kind == HEDDLE_CAS;
    const bool second = update || record_.value2 != 0;
    if (!has(&KindInfo::value) && record_.value == 0 && !second) return;
    line_ += " = " + value_text(record_.value, info_ ? info_->value : Meaning::kNumber);
    if (second) {
      line_ += update ? " -> " : ", ";
      line_ += value_text(record_.value2, info_ ? info_->value2 : Meaning::kNumber);
    }
  }

  void print_flags(uint8_t flags) {
    for (uint8_t bit = 0; bit < 8; ++bit) {
      if (flags >> bit & 1) line_ += fmt::format(" {}", flag_name(bit, record_.kind));
    }
  }

  void print_site() {
    if (namer_) {
      line_ += " @" + site_text(trace_, record_.site);
    } else if (record_.site != 0) {
      line_ += fmt::format(" @{}", record_.site);
    }
  }

  std::string address_text(uint64_t address, bool may_be_named) const {
    return namer_ && may_be_named ? namer_(event_, address) : fmt::format("{:#x}", address);
  }

  std::string value_text(uint64_t value, Meaning meaning) const {
    const uint64_t threads = trace_.threads.size();
    switch (meaning) {
      case Meaning::kAddress: return address_text(value, true);
      case Meaning::kThreadNumber:
        if (value < threads) return trace_.thread_name(static_cast<uint32_t>(value));
        break;
      case Meaning::kThreadPlusOne:
        if (value == 0) return "nobody";
        if (value <= threads) return trace_.thread_name(static_cast<uint32_t>(value - 1));
        break;
      case Meaning::kNone:
      case Meaning::kNumber: break;
    }
    return std::to_string(value);
  }

  const Trace& trace_;
  const Event& event_;
  const HeddleRecord& record_;
  const AddressNamer& namer_;
  const KindInfo* info_;
  std::string line_;
};

std::string header_text(const Header& header) {
  return fmt::format("{}\nprogram {}\nmodule {}\nmode {}\nmemory {}\nstrategy {}\nseed {}\ninstrumentation {}\n",
                     kTextMagic, quote(header.program), quote(header.module_hash),
                     header.mode == Mode::kFree ? "free" : "controlled", quote(header.memory_model),
                     quote(header.strategy), header.seed, header.instrumentation_version);
}

}  // namespace

std::string site_text(const Trace& trace, uint32_t site) {
  if (site == 0 || site >= trace.sites.size()) return "?";
  const Site& place = trace.sites[site];
  return fmt::format("{}:{}:{} {}", place.file, place.line, place.column, place.function);
}

std::string event_text(const Trace& trace, const Event& event, const AddressNamer& namer) {
  return EventPrinter(trace, event, namer).print();
}

void write_text(const Trace& trace, const TextSink& sink, const AddressNamer& namer) {
  sink(header_text(trace.header));
  for (uint32_t i = 0; i < trace.threads.size(); ++i) sink(fmt::format("thread {}\n", trace.thread_name(i)));
  if (!namer) {
    for (size_t i = 0; i < trace.sites.size(); ++i) {
      const Site& site = trace.sites[i];
      sink(fmt::format("site {} {}:{}:{} {} {}\n", i, quote(site.file), site.line, site.column, quote(site.function),
                       quote(site.variable)));
    }
    for (const Global& global : trace.globals) {
      sink(fmt::format("global {} {:#x} {}\n", quote(global.name), global.address, global.size));
    }
  }
  const bool free_running = trace.header.mode == Mode::kFree;
  uint64_t expected = 0;
  for (const Event& event : trace.events) {
    std::string line = event_text(trace, event, namer);
    if (event.sequence != expected) line += fmt::format(" seq={}", event.sequence);
    if (!free_running) expected = event.sequence + 1;
    sink(line + '\n');
  }
  if (!trace.complete) return;
  const char* outcome = outcome_name(trace.ending.outcome);
  sink(fmt::format("end {} {}{}\n", outcome ? outcome : "?", trace.ending.detail,
                   trace.ending.message.empty() ? "" : ' ' + quote(trace.ending.message)));
}

std::string write_text(const Trace& trace, const AddressNamer& namer) {
  std::string text;
  write_text(trace, [&text](std::string_view piece) { text += piece; }, namer);
  return text;
}

}  // namespace heddle::trace
