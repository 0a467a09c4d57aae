// SPDX-License-Identifier: Apache-2.0
//
// The reading half of the file form: line by line, one function per kind of
// line. Messages repeat only a short piece of the input, whatever it is.
#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/spelling.h"
#include "schedule/schedule.h"
#include "trace/text_syntax.h"

namespace heddle::schedule {
namespace {

constexpr std::string_view kMagicWord = "heddle-schedule";

template <typename Number>
bool parse_decimal(std::string_view word, Number* value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size();
}

std::string shown(std::string_view input) {
  constexpr size_t kMost = 40;
  if (input.empty()) return "the end of the line";
  return input.size() <= kMost ? trace::quote(input) : trace::quote(input.substr(0, kMost)) + "...";
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  base::Result<Schedule> parse() {
    if (!parse_version() || !parse_header()) return error_;
    bool ended = false, may_have_rules = true, may_have_result = true;
    while (!ended && next_content_line()) {
      if (std::exchange(may_have_rules, false) && line_.accept("rules")) {
        if (!parse_rules()) return error_;
        continue;
      }
      if (std::exchange(may_have_result, false) && line_.accept("result")) {
        if (!parse_result()) return error_;
        continue;
      }
      if (line_.accept("end")) {
        ended = true;
        if (!expect_line_end()) return error_;
      } else if (!parse_step()) {
        return error_;
      }
    }
    if (!ended && error_.message.empty()) {
      expected("another step or \"end\"", "the end of the file", "The file was cut off: write or copy it again.");
    }
    if (error_.message.empty() && next_content_line()) expected("nothing after \"end\"", shown(line_.peek()));
    if (!error_.message.empty()) return error_;
    return std::move(schedule_);
  }

 private:
  bool expected(const std::string& what, const std::string& found, const std::string& hint = "") {
    error_ = {fmt::format("{}:{}: expected {}, found {}", name_, line_number_, what, found), hint};
    return false;
  }

  bool next_line() {
    if (rest_.empty()) return false;
    ++line_number_;
    const size_t length = rest_.find('\n');
    const std::string_view line = rest_.substr(0, length);
    rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
    line_ = trace::LineScanner(line);
    if (line.find('\0') == std::string_view::npos) return true;
    return expected("text", "a zero byte", "The file is damaged or is not a schedule.");
  }

  // Skips blank lines and comments. False at the end of the text and on errors.
  bool next_content_line() {
    while (next_line()) {
      if (!at_line_end()) return true;
    }
    return false;
  }

  bool at_line_end() const { return line_.at_end() || line_.peek().starts_with('#'); }

  bool expect_line_end() { return at_line_end() || expected("the end of the line", shown(line_.peek())); }

  bool parse_version() {
    line_number_ = rest_.empty() ? 1 : 0;
    if (rest_.empty() || !next_line()) {
      return !error_.message.empty() ? false : expected("\"heddle-schedule 1\"", "an empty file");
    }
    if (!line_.accept(kMagicWord)) {
      return expected("\"heddle-schedule 1\" in the first line", shown(line_.peek()), "This file is not a schedule.");
    }
    const std::string_view word = line_.word();
    uint32_t version = 0;
    if (!parse_decimal(word, &version)) return expected("a version number", shown(word));
    if (version != HEDDLE_SCHEDULE_VERSION) {
      return expected(fmt::format("version {}", HEDDLE_SCHEDULE_VERSION), fmt::format("version {}", version),
                      "Another version of Heddle wrote this schedule: use that one, or make the schedule again.");
    }
    return expect_line_end();
  }

  // The line that begins with `word`.
  bool header_line(std::string_view word, const char* form) {
    if (!next_content_line()) {
      return !error_.message.empty() ? false : expected(form, "the end of the file");
    }
    return line_.accept(word) || expected(form, shown(line_.peek()));
  }

  bool quoted_line(std::string_view word, const char* form, std::string* text) {
    if (!header_line(word, form)) return false;
    if (!line_.quoted(text)) return expected(form, shown(line_.peek()));
    return expect_line_end();
  }

  bool parse_header() {
    constexpr const char* kMemoryForm = "'memory \"sc\"', \"tso\" or \"pso\"";
    if (!quoted_line("module", "'module \"HASH\"'", &schedule_.module_hash)) return false;
    if (!header_line("instrumentation", "'instrumentation NUMBER'")) return false;
    if (!parse_number("an instrumentation version", &schedule_.instrumentation_version)) return false;
    std::string memory;
    if (!expect_line_end() || !quoted_line("memory", kMemoryForm, &memory)) return false;
    const auto model = find_memory_model(memory);
    if (!model) return expected(kMemoryForm, shown(memory));
    schedule_.memory_model = *model;
    return true;
  }

  bool parse_number(const char* what, uint32_t* value) {
    const std::string_view word = line_.word();
    return parse_decimal(word, value) || expected(fmt::format("{} from 0 to 4294967295", what), shown(word));
  }

  bool parse_rules() {
    constexpr const char* kForm = "'rules \"check\"'";
    std::string rules;
    if (!line_.quoted(&rules)) return expected(kForm, shown(line_.peek()));
    schedule_.check_rules = rules == "check";
    return schedule_.check_rules ? expect_line_end() : expected(kForm, shown(rules));
  }

  bool parse_result() {
    constexpr const char* kForm = "'result \"TEXT\"', not empty";
    if (!line_.quoted(&schedule_.result)) return expected(kForm, shown(line_.peek()));
    return expect_line_end() && (!schedule_.result.empty() || expected(kForm, "an empty text"));
  }

  bool parse_step() {
    constexpr std::string_view kWords[] = {"op", "flush", "wake", "timeout", "spurious", "nondet", "end"};
    Step step;
    const std::string_view word = line_.word();
    const auto kind = find_step_kind(word);
    if (!kind) {
      return expected("op, flush, wake, timeout, spurious, nondet or end", shown(word),
                      base::did_you_mean(word, kWords));
    }
    step.kind = *kind;
    const std::string_view thread_word = line_.word();
    auto thread = ThreadName::parse(thread_word);
    if (!thread) return expected("the name of a thread such as T0 or T0.1", shown(thread_word));
    step.thread = std::move(*thread);
    if (!parse_number("the number of an operation", &step.index)) return false;
    if (step.kind == StepKind::kNondet && !parse_value(&step.value)) return false;
    if (line_.peek().starts_with('@')) {
      const std::string_view site = line_.word();
      if (!parse_decimal(site.substr(1), &step.site) || step.site == 0) {
        return expected("a site from @1 to @4294967295", shown(site));
      }
    }
    if (line_.peek().starts_with('"') && !line_.quoted(&step.place)) {
      return expected("a place in quotes", shown(line_.peek()));
    }
    if (!expect_line_end()) return false;
    schedule_.steps.push_back(std::move(step));
    return true;
  }

  bool parse_value(int64_t* value) {
    if (!line_.accept("=")) return expected("'= VALUE'", shown(line_.peek()));
    const std::string_view word = line_.word();
    return parse_decimal(word, value) || expected("a value of 64 bits with sign", shown(word));
  }

  std::string_view rest_;
  const std::string& name_;
  trace::LineScanner line_{""};
  uint64_t line_number_ = 0;
  Schedule schedule_;
  base::Error error_;
};

}  // namespace

base::Result<Schedule> parse_schedule(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

}  // namespace heddle::schedule
