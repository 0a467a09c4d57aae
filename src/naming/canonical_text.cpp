// SPDX-License-Identifier: Apache-2.0
#include "naming/canonical_text.h"

#include <string_view>

#include "naming/addresses.h"

namespace heddle::naming {
namespace {

trace::AddressNamer namer_of(const Names& names) {
  return [&names](const trace::Event& event, uint64_t address) { return names.object_at(event, address); };
}

// Replaces `value`, which stands at `*place` of the line after the text `before`,
// and moves on behind it.
void name_value(const Names& names, const trace::Event& event, std::string_view before, uint64_t value,
                std::string* line, size_t* place) {
  const std::string number = std::to_string(value);
  const size_t found = line->find(std::string(before) + number, *place);
  if (found == std::string::npos) return;
  const std::string text = names.pointer_text(event, value).value_or(number);
  line->replace(found + before.size(), number.size(), text);
  *place = found + before.size() + text.size();
}

// Everything but the events: facts and threads, then the end.
trace::Trace without_events(const trace::Trace& trace) {
  trace::Trace frame;
  frame.header = trace.header;
  frame.threads = trace.threads;
  frame.complete = trace.complete;
  frame.ending = trace.ending;
  return frame;
}

}  // namespace

std::string canonical_line(const Names& names, const trace::Event& event, const CanonicalOptions& options) {
  std::string line = trace::event_text(names.trace(), event, namer_of(names));
  const HeddleRecord& record = event.record;
  if (!options.abstract_values || !may_hold_pointer(record)) return line;
  // A name may contain anything, so values are looked for behind it.
  size_t place = 0;
  for_each_address(record, [&](uint64_t address) {
    const std::string name = names.object_at(event, address);
    const size_t found = line.find(name, place);
    if (found != std::string::npos) place = found + name.size();
  });
  name_value(names, event, " = ", record.value, &line, &place);
  if (record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS) {
    name_value(names, event, " -> ", record.value2, &line, &place);
  }
  return line;
}

void canonical_text(const Names& names, const trace::TextSink& sink, const CanonicalOptions& options) {
  if (!options.abstract_values) {
    trace::write_text(names.trace(), sink, namer_of(names));
    return;
  }
  const std::string frame = trace::write_text(without_events(names.trace()), namer_of(names));
  const size_t end = names.trace().complete ? frame.rfind('\n', frame.size() - 2) + 1 : frame.size();
  sink(std::string_view(frame).substr(0, end));
  for (const trace::Event& event : names.trace().events) sink(canonical_line(names, event, options) + '\n');
  sink(std::string_view(frame).substr(end));
}

std::string canonical_text(const trace::Trace& trace, const CanonicalOptions& options) {
  std::string text;
  canonical_text(Names(trace), [&text](std::string_view piece) { text += piece; }, options);
  return text;
}

}  // namespace heddle::naming
