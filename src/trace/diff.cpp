// SPDX-License-Identifier: Apache-2.0
#include "trace/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "trace/kinds.h"
#include "trace/text_syntax.h"

namespace heddle::trace {
namespace {

using EventsByThread = std::map<std::string, std::vector<const Event*>>;

EventsByThread events_by_thread(const Trace& trace, bool only_visible) {
  EventsByThread result;
  std::vector<std::vector<const Event*>*> lists;
  for (uint32_t i = 0; i < trace.threads.size(); ++i) lists.push_back(&result[trace.thread_name(i)]);
  for (const Event& event : trace.events) {
    if (only_visible && !is_visible(event.record)) continue;
    if (event.record.thread < lists.size()) lists[event.record.thread]->push_back(&event);
  }
  return result;
}

class Comparison {
 public:
  Comparison(const Trace& first, const Trace& second, const DiffOptions& options)
      : first_(first), second_(second), options_(options) {}

  // The field in which two events differ, or null.
  const char* differing_field(const Event& a, const Event& b) const {
    const HeddleRecord& x = a.record;
    const HeddleRecord& y = b.record;
    if (x.kind != y.kind) return "kind";
    if (x.index != y.index) return "index";
    if (site_text(first_, x.site) != site_text(second_, y.site)) return "site";
    if (x.size != y.size) return "size";
    if (x.order != y.order) return "order";
    if (x.flags != y.flags) return "flags";
    const KindInfo* info = find_kind(x.kind);
    const bool named = info && info->has_address && info->family != Family::kProgram;
    if (!same(a, x.address, b, y.address, named ? Meaning::kAddress : Meaning::kNumber)) return "address";
    if (!same(a, x.value, b, y.value, info ? info->value : Meaning::kNumber)) return "value";
    if (!same(a, x.value2, b, y.value2, info ? info->value2 : Meaning::kNumber)) return "value2";
    if (!options_.ignore_sequence && a.sequence != b.sequence) return "sequence";
    return nullptr;
  }

  std::optional<ThreadDifference> compare_thread(const std::string& name, const std::vector<const Event*>& a,
                                                 const std::vector<const Event*>& b) const {
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      ThreadDifference difference{name, i, "end", std::nullopt, std::nullopt};
      if (i < a.size()) difference.first = *a[i];
      if (i < b.size()) difference.second = *b[i];
      if (i >= a.size() || i >= b.size()) return difference;
      if (const char* field = differing_field(*a[i], *b[i])) {
        difference.field = field;
        return difference;
      }
    }
    return std::nullopt;
  }

 private:
  bool same(const Event& a, uint64_t x, const Event& b, uint64_t y, Meaning meaning) const {
    switch (meaning) {
      case Meaning::kThreadNumber: return same_thread(x, y);
      case Meaning::kThreadPlusOne: return x == 0 || y == 0 ? x == y : same_thread(x - 1, y - 1);
      case Meaning::kAddress:
        if (!options_.first_namer || !options_.second_namer) break;
        return options_.first_namer(a, x) == options_.second_namer(b, y);
      case Meaning::kNone:
      case Meaning::kNumber: break;
    }
    return x == y;
  }

  bool same_thread(uint64_t x, uint64_t y) const {
    if (x >= first_.threads.size() || y >= second_.threads.size()) return x == y;
    return first_.thread_name(static_cast<uint32_t>(x)) == second_.thread_name(static_cast<uint32_t>(y));
  }

  const Trace& first_;
  const Trace& second_;
  const DiffOptions& options_;
};

std::string ending_text(const Trace& trace) {
  if (!trace.complete) return "none";
  const char* outcome = outcome_name(trace.ending.outcome);
  return fmt::format("{} {} {}", outcome ? outcome : "?", trace.ending.detail, quote(trace.ending.message));
}

std::vector<std::string> differing_facts(const Trace& a, const Trace& b) {
  std::vector<std::string> facts;
  const auto fact = [&facts](const char* name, const auto& x, const auto& y) {
    if (x != y) facts.push_back(fmt::format("{}: {} in the first, {} in the second", name, x, y));
  };
  const auto mode = [](const Trace& trace) { return trace.header.mode == Mode::kFree ? "free" : "controlled"; };
  fact("program", a.header.program, b.header.program);
  fact("module", a.header.module_hash, b.header.module_hash);
  fact("mode", std::string(mode(a)), std::string(mode(b)));
  fact("memory model", a.header.memory_model, b.header.memory_model);
  fact("instrumentation", a.header.instrumentation_version, b.header.instrumentation_version);
  fact("ending", ending_text(a), ending_text(b));
  return facts;
}

// When, in its own trace, a difference shows.
uint64_t moment(const ThreadDifference& difference) {
  if (difference.first) return difference.first->sequence;
  return difference.second ? difference.second->sequence : UINT64_MAX;
}

}  // namespace

Difference compare(const Trace& first, const Trace& second, const DiffOptions& options) {
  Difference result;
  result.facts = differing_facts(first, second);
  const EventsByThread a = events_by_thread(first, options.only_visible);
  const EventsByThread b = events_by_thread(second, options.only_visible);
  const Comparison comparison(first, second, options);
  for (const auto& [name, events] : a) {
    const auto other = b.find(name);
    if (other == b.end()) {
      ThreadDifference missing{name, 0, "thread", std::nullopt, std::nullopt};
      if (!events.empty()) missing.first = *events[0];
      result.threads.push_back(missing);
    } else if (auto difference = comparison.compare_thread(name, events, other->second)) {
      result.threads.push_back(*difference);
    }
  }
  for (const auto& [name, events] : b) {
    if (a.contains(name)) continue;
    ThreadDifference missing{name, 0, "thread", std::nullopt, std::nullopt};
    if (!events.empty()) missing.second = *events[0];
    result.threads.push_back(missing);
  }
  std::sort(result.threads.begin(), result.threads.end(), [](const ThreadDifference& x, const ThreadDifference& y) {
    return std::pair(moment(x), x.thread) < std::pair(moment(y), y.thread);
  });
  return result;
}

std::string difference_text(const Trace& first, const Trace& second, const Difference& difference,
                            const DiffOptions& options) {
  std::string text;
  for (const std::string& fact : difference.facts) text += fact + '\n';
  for (const ThreadDifference& thread : difference.threads) {
    text += fmt::format("{}, event {}: differs in {}\n", thread.thread, thread.position, thread.field);
    const auto show = [&](const char* sign, const Trace& trace, const std::optional<Event>& event,
                          const AddressNamer& namer) {
      text += fmt::format("  {} {}\n", sign,
                          event ? fmt::format("{} seq={}", event_text(trace, *event, namer), event->sequence)
                                : std::string("(nothing)"));
    };
    show("-", first, thread.first, options.first_namer);
    show("+", second, thread.second, options.second_namer);
  }
  return text;
}

}  // namespace heddle::trace
