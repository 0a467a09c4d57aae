// SPDX-License-Identifier: Apache-2.0
//
// The reading half of text.h: line by line, each line by its first word. A line
// that begins with the name of a thread is an event.
#include <fmt/format.h>

#include <cstring>
#include <unordered_map>

#include "trace/kinds.h"
#include "trace/tables.h"
#include "trace/text.h"
#include "trace/text_syntax.h"

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

class TextParser {
 public:
  // Empty, or what was expected in this line.
  std::string parse_line(std::string_view text) {
    LineScanner line(text);
    if (line.at_end() || line.peek().starts_with('#')) return {};
    if (trace_.complete) return "nothing after the end line";
    const std::string_view word = line.peek();
    const bool is_event = word.starts_with('T');
    if (!is_event) line.word();
    std::string problem = is_event ? parse_event(line) : parse_fact(word, line);
    if (problem.empty() && !line.at_end()) return fmt::format("the end of the line, not \"{}\"", line.peek());
    return problem;
  }

  Trace take() { return std::move(trace_); }

 private:
  static std::string text_field(LineScanner& line, std::string* field) {
    if (!line.quoted(field)) return "a text in double quotes";
    return field->size() <= kMaxString ? "" : "a shorter text";
  }

  static std::string number_field(LineScanner& line, uint64_t* field, uint64_t highest = UINT64_MAX) {
    return line.number(field, highest) ? "" : fmt::format("a number up to {}", highest);
  }

  std::string parse_fact(std::string_view word, LineScanner& line) {
    Header& header = trace_.header;
    uint64_t number = 0;
    if (word == "program") return text_field(line, &header.program);
    if (word == "module") return text_field(line, &header.module_hash);
    if (word == "memory") return text_field(line, &header.memory_model);
    if (word == "strategy") return text_field(line, &header.strategy);
    if (word == "seed") return number_field(line, &header.seed);
    if (word == "instrumentation") {
      std::string problem = number_field(line, &number, UINT32_MAX);
      header.instrumentation_version = static_cast<uint32_t>(number);
      return problem;
    }
    if (word == "mode") {
      if (!trace_.events.empty()) return "the mode before the first event";
      const std::string_view mode = line.word();
      if (mode != "controlled" && mode != "free") return "\"controlled\" or \"free\"";
      header.mode = mode == "free" ? Mode::kFree : Mode::kControlled;
      return {};
    }
    if (word == "thread") return parse_thread(line);
    if (word == "site") return parse_site(line);
    if (word == "global") return parse_global(line);
    if (word == "end") return parse_end(line);
    return fmt::format("a thread's name or a word such as \"site\", not \"{}\"", word);
  }

  std::string parse_thread(LineScanner& line) {
    const std::string name(line.word());
    Thread thread;
    if (name != "T0") {
      const size_t dot = name.rfind('.');
      const auto parent = threads_.find(name.substr(0, dot == std::string::npos ? 0 : dot));
      if (parent == threads_.end()) return fmt::format("a thread whose parent is listed before it, not \"{}\"", name);
      uint64_t child = 0;
      if (!parse_number(std::string_view(name).substr(dot + 1), &child) || child > UINT32_MAX) {
        return "a number after the last dot of the name";
      }
      thread = {parent->second, static_cast<uint32_t>(child)};
    }
    if (std::string problem = rule_.add(thread); !problem.empty())
      return "a table of threads that is a tree: " + problem;
    threads_.emplace(name, static_cast<uint32_t>(trace_.threads.size()));
    trace_.threads.push_back(thread);
    return {};
  }

  std::string parse_site(LineScanner& line) {
    uint64_t number = 0, row = 0, column = 0;
    if (!line.number(&number) || number != trace_.sites.size() || number >= kMaxSites) {
      return fmt::format("the number of the next site, {}", trace_.sites.size());
    }
    Site site;
    if (std::string problem = text_field(line, &site.file); !problem.empty()) return problem;
    if (!line.accept_char(':') || !line.number(&row, UINT32_MAX, ':') || !line.number(&column, UINT32_MAX)) {
      return "\":LINE:COLUMN\" after the file";
    }
    site.line = static_cast<uint32_t>(row);
    site.column = static_cast<uint32_t>(column);
    if (std::string problem = text_field(line, &site.function); !problem.empty()) return problem;
    if (std::string problem = text_field(line, &site.variable); !problem.empty()) return problem;
    trace_.sites.push_back(std::move(site));
    return {};
  }

  std::string parse_global(LineScanner& line) {
    Global global;
    if (std::string problem = text_field(line, &global.name); !problem.empty()) return problem;
    if (std::string problem = number_field(line, &global.address); !problem.empty()) return problem;
    if (std::string problem = number_field(line, &global.size); !problem.empty()) return problem;
    trace_.globals.push_back(std::move(global));
    return {};
  }

  std::string parse_end(LineScanner& line) {
    const auto outcome = find_outcome(line.word());
    if (!outcome) return "how the run ended: \"exit\", \"failure\", \"deadlock\", ...";
    trace_.ending.outcome = *outcome;
    if (std::string problem = number_field(line, &trace_.ending.detail); !problem.empty()) return problem;
    trace_.complete = true;
    return line.at_end() ? "" : text_field(line, &trace_.ending.message);
  }

  std::string parse_event(LineScanner& line) {
    Event event{};
    HeddleRecord& record = event.record;
    const auto thread = threads_.find(std::string(line.word()));
    if (thread == threads_.end()) return "the name of a thread that was listed before";
    record.thread = thread->second;
    uint64_t index = 0;
    if (!line.number(&index, UINT32_MAX)) return "the index of the event in its thread";
    record.index = static_cast<uint32_t>(index);
    const std::string_view name = line.word();
    const KindInfo* info = find_kind(name);
    if (!info) return fmt::format("a kind of event, not \"{}\"", name);
    record.kind = static_cast<uint8_t>(info->kind);
    const bool quoted = info->kind == HEDDLE_TEXT && line.peek().starts_with('"');
    std::string problem = quoted ? parse_piece_of_text(line, &record) : parse_place_and_values(line, *info, &record);
    if (!problem.empty()) return problem;
    event.sequence = expected_sequence_;
    while (!line.at_end()) {
      problem = parse_attribute(line, &event);
      if (!problem.empty()) return problem;
    }
    if (trace_.header.mode != Mode::kFree) expected_sequence_ = event.sequence + 1;
    trace_.events.push_back(event);
    return {};
  }

  static std::string parse_piece_of_text(LineScanner& line, HeddleRecord* record) {
    std::string text;
    if (!line.quoted(&text) || text.size() > HEDDLE_TEXT_BYTES) return "a text of at most 24 bytes";
    record->size = static_cast<uint8_t>(text.size());
    text.resize(HEDDLE_TEXT_BYTES);
    std::memcpy(&record->address, text.data(), 8);
    std::memcpy(&record->value, text.data() + 8, 8);
    std::memcpy(&record->value2, text.data() + 16, 8);
    if (line.accept("more")) record->flags = 1;
    return {};
  }

  std::string parse_place_and_values(LineScanner& line, const KindInfo& info, HeddleRecord* record) {
    uint64_t size = 0;
    if (line.number(&record->address)) {
      if (line.number(&size, UINT8_MAX)) record->size = static_cast<uint8_t>(size);
    } else if (info.has_address) {
      return "an address";
    }
    if (line.peek().starts_with("size=")) {
      if (!parse_number(line.word().substr(5), &size) || size > UINT8_MAX) return "a size up to 255";
      record->size = static_cast<uint8_t>(size);
    }
    if (!line.accept("=")) return {};
    std::string_view first = line.word();
    const bool comma = first.ends_with(',');
    if (comma) first.remove_suffix(1);
    if (!parse_value(first, info.value, &record->value)) return "a value after \"=\"";
    if (!comma && !line.accept("->")) return {};
    return parse_value(line.word(), info.value2, &record->value2) ? "" : "a second value";
  }

  bool parse_value(std::string_view word, Meaning meaning, uint64_t* value) const {
    if (meaning == Meaning::kThreadPlusOne && word == "nobody") return true;
    if (!word.starts_with('T')) return parse_number(word, value);
    const auto thread = threads_.find(std::string(word));
    if (thread == threads_.end()) return false;
    *value = uint64_t{thread->second} + (meaning == Meaning::kThreadPlusOne ? 1 : 0);
    return true;
  }

  std::string parse_attribute(LineScanner& line, Event* event) {
    HeddleRecord& record = event->record;
    const std::string_view word = line.word();
    uint64_t number = 0;
    if (const auto order = find_order(word)) {
      record.order = static_cast<uint8_t>(*order);
    } else if (const auto flag = find_flag(word)) {
      record.flags |= *flag;
    } else if (word.starts_with("seq=") && parse_number(word.substr(4), &number)) {
      event->sequence = number;
    } else if (word.starts_with('@') && parse_number(word.substr(1), &number)) {
      if (number != 0 && number >= trace_.sites.size()) return fmt::format("a site of the table, not {}", number);
      record.site = static_cast<uint32_t>(number);
    } else {
      return fmt::format("a memory order, a flag, \"seq=N\" or \"@SITE\", not \"{}\"", word);
    }
    return {};
  }

  Trace trace_;
  ThreadRule rule_;
  std::unordered_map<std::string, uint32_t> threads_;
  uint64_t expected_sequence_ = 0;
};

}  // namespace

bool looks_like_text(std::string_view beginning) {
  const std::string_view word = kTextMagic.substr(0, kTextMagic.find(' '));
  return beginning.starts_with(word);
}

Result<Trace> parse_text(std::string_view text, const std::string& name) {
  TextParser parser;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return Error{fmt::format("{}, line {}: the last line is cut off", name, number),
                   "end every line, also the last, with a newline"};
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::string problem;
    if (number == 1) {
      problem = line == kTextMagic ? "" : fmt::format("\"{}\"", kTextMagic);
    } else {
      problem = parser.parse_line(line);
    }
    if (!problem.empty()) return Error{fmt::format("{}, line {}: expected {}", name, number, problem), ""};
  }
  return parser.take();
}

}  // namespace heddle::trace
