// SPDX-License-Identifier: Apache-2.0
//
// The reading half of export_std.h: first the lines, then the tree of threads
// that their forks make, then the events.
#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <vector>

#include "trace/export_std.h"
#include "trace/format.h"
#include "trace/text_syntax.h"

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

struct Line {
  std::string thread;
  std::string operation;  // r, w, acq, rel, fork, join
  std::string operand;
  std::string place;
};

// Empty, or what was expected.
std::string parse_line(std::string_view text, Line* line) {
  const size_t first = text.find('|');
  const size_t second = first == std::string_view::npos ? first : text.find('|', first + 1);
  if (second == std::string_view::npos) return "\"thread|operation|place\"";
  line->thread = text.substr(0, first);
  std::string_view operation = text.substr(first + 1, second - first - 1);
  line->place = text.substr(second + 1);
  if (line->thread.empty()) return "the name of a thread";
  const size_t open = operation.find('(');
  if (open == std::string_view::npos || !operation.ends_with(')')) return "an operation such as \"r(V1)\"";
  line->operation = operation.substr(0, open);
  line->operand = operation.substr(open + 1, operation.size() - open - 2);
  for (const char* known : {"r", "w", "acq", "rel", "fork", "join"}) {
    if (line->operation == known) return line->operand.empty() ? "a name in the parentheses" : "";
  }
  return fmt::format("r, w, acq, rel, fork or join, not \"{}\"", line->operation);
}

class StdImporter {
 public:
  explicit StdImporter(const std::vector<Line>& lines) : lines_(lines) {}

  // Empty, or why there is no trace.
  std::string run() {
    trace_.header.memory_model = "sc";
    trace_.header.strategy = "imported";
    trace_.sites.emplace_back();
    if (std::string problem = number_threads(); !problem.empty()) return problem;
    for (const uint32_t thread : orphans_) add(0, HEDDLE_THREAD_CREATE, 0, 0, thread);
    for (size_t i = 0; i < lines_.size(); ++i) take(i);
    trace_.complete = true;
    return {};
  }

  Trace take_trace() { return std::move(trace_); }

 private:
  // Threads get numbers such that a parent comes before its children.
  std::string number_threads() {
    std::map<std::string, std::string> forked_by;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      last_line_[line.thread] = i;
      if (line.operation != "fork") continue;
      if (line.operand == line.thread || !forked_by.emplace(line.operand, line.thread).second) {
        return fmt::format("line {}: {} is forked twice or by itself", i + 1, line.operand);
      }
    }
    for (const Line& line : lines_) {
      if (forked_by.contains(line.thread) || numbers_.contains(line.thread)) continue;
      const bool root = numbers_.empty();
      if (!root) orphans_.push_back(static_cast<uint32_t>(numbers_.size()));
      number(line.thread, root ? HEDDLE_NO_THREAD : 0);
    }
    if (!lines_.empty() && numbers_.empty()) return "every thread is forked by another: there is no first one";
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      const auto thread = numbers_.find(line.thread);
      if (thread == numbers_.end()) return fmt::format("line {}: {} runs before it is forked", i + 1, line.thread);
      if (line.operation == "fork") number(line.operand, thread->second);
      if (line.operation == "join" && !numbers_.contains(line.operand)) {
        return fmt::format("line {}: {} is joined before it is forked", i + 1, line.operand);
      }
      if (numbers_.size() > kMaxThreads) return fmt::format("line {}: too many threads", i + 1);
    }
    started_.resize(trace_.threads.size());
    ended_.resize(trace_.threads.size());
    next_index_.resize(trace_.threads.size());
    started_[0] = true;
    return {};
  }

  void number(const std::string& name, uint32_t parent) {
    numbers_.emplace(name, static_cast<uint32_t>(trace_.threads.size()));
    trace_.threads.push_back({parent, parent == HEDDLE_NO_THREAD ? 0 : children_[parent]++});
  }

  HeddleRecord& add(uint32_t thread, HeddleKind kind, uint32_t site, uint64_t address, uint64_t value) {
    Event event{};
    event.record.kind = static_cast<uint8_t>(kind);
    event.record.thread = thread;
    event.record.index = next_index_[thread]++;
    event.record.site = site;
    event.record.address = address;
    event.record.value = value;
    event.sequence = trace_.events.size();
    trace_.events.push_back(event);
    return trace_.events.back().record;
  }

  void start(uint32_t thread) {
    if (started_[thread]) return;
    started_[thread] = true;
    add(thread, HEDDLE_THREAD_START, 0, 0, trace_.threads[thread].parent);
  }

  void end(uint32_t thread) {
    if (ended_[thread]) return;
    ended_[thread] = true;
    add(thread, HEDDLE_THREAD_END, 0, 0, 0);
  }

  void take(size_t place) {
    const Line& line = lines_[place];
    const uint32_t thread = numbers_.at(line.thread);
    const uint32_t site = site_of(line.place);
    start(thread);
    if (line.operation == "fork") {
      add(thread, HEDDLE_THREAD_CREATE, site, 0, numbers_.at(line.operand));
    } else if (line.operation == "join") {
      const uint32_t child = numbers_.at(line.operand);
      start(child);  // a thread that did nothing else
      const auto last = last_line_.find(line.operand);
      if (last == last_line_.end() || last->second < place) end(child);
      add(thread, HEDDLE_THREAD_JOIN, site, 0, child);
    } else if (line.operation == "acq") {
      add(thread, HEDDLE_MUTEX_LOCK, site, address_of("lock", line.operand), 1);
    } else if (line.operation == "rel") {
      add(thread, HEDDLE_MUTEX_UNLOCK, site, address_of("lock", line.operand), 0);
    } else {
      const uint64_t address = address_of("variable", line.operand);
      const bool write = line.operation == "w";
      uint64_t& value = memory_[address];
      if (write) value = ++writes_;
      add(thread, write ? HEDDLE_STORE : HEDDLE_LOAD, site, address, value).size = 8;
    }
    if (last_line_[line.thread] == place && thread != 0) end(thread);
  }

  uint32_t site_of(const std::string& place) {
    const auto [found, is_new] = sites_.emplace(place, static_cast<uint32_t>(trace_.sites.size()));
    if (is_new) {
      uint64_t number = 0;
      const bool numeric = parse_number(place, &number) && number <= UINT32_MAX;
      trace_.sites.push_back({numeric ? "" : place, numeric ? static_cast<uint32_t>(number) : 0, 0, "", ""});
    }
    return found->second;
  }

  // Every variable and lock is a global of its own, eight bytes wide.
  uint64_t address_of(const char* what, const std::string& name) {
    const auto [found, is_new] = addresses_.emplace(std::pair(what, name), 0x10000 + 16 * addresses_.size());
    if (is_new) trace_.globals.push_back({name, found->second, 8});
    return found->second;
  }

  const std::vector<Line>& lines_;
  Trace trace_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::unordered_map<std::string, size_t> last_line_;
  std::map<uint32_t, uint32_t> children_;
  std::vector<uint32_t> orphans_;  // forked by nobody
  std::vector<bool> started_, ended_;
  std::vector<uint32_t> next_index_;
  std::unordered_map<std::string, uint32_t> sites_;
  std::map<std::pair<std::string, std::string>, uint64_t> addresses_;
  std::unordered_map<uint64_t, uint64_t> memory_;
  uint64_t writes_ = 0;
};

}  // namespace

Result<Trace> import_std(std::string_view text, const std::string& name) {
  std::vector<Line> lines;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back();
    if (std::string problem = parse_line(line, &lines.back()); !problem.empty()) {
      return Error{fmt::format("{}, line {}: expected {}", name, number, problem), ""};
    }
  }
  if (lines.empty()) return Error{fmt::format("{} is empty", name), ""};
  StdImporter importer(lines);
  if (std::string problem = importer.run(); !problem.empty()) return Error{fmt::format("{}: {}", name, problem), ""};
  return importer.take_trace();
}

}  // namespace heddle::trace
