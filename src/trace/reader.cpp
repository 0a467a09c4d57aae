// SPDX-License-Identifier: Apache-2.0
#include "trace/reader.h"

#include <fmt/format.h>

#include "trace/group_reader.h"
#include "trace/source.h"
#include "trace/text.h"

namespace heddle::trace {

using base::Error;
using base::Result;

class Reader::State : public GroupReader {
  using GroupReader::GroupReader;
};

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;
Result<bool> Reader::next(std::vector<Event>* events) { return state_->next(events); }
const Trace& Reader::tables() const { return state_->tables(); }

Result<Reader> Reader::start(std::unique_ptr<Source> source, std::string_view preamble, const ReadOptions& options) {
  if (std::string problem = preamble_problem(preamble); !problem.empty()) {
    return Error{fmt::format("cannot read {}: {}", source->name(), problem), ""};
  }
  auto state = std::make_unique<State>(std::move(source), options);
  if (auto begun = state->begin(); !begun) return begun.error();
  return Reader(std::move(state));
}

Result<Reader> Reader::open(const std::string& path, const ReadOptions& options) {
  auto source = Source::open(path);
  if (!source) return source.error();
  std::string preamble;
  if (auto read = (*source)->read(kPreambleBytes, &preamble); !read) return read.error();
  return start(std::move(*source), preamble, options);
}

Result<Reader> Reader::over_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  std::unique_ptr<Source> source = Source::over_bytes(bytes, name);
  std::string preamble;
  if (auto read = source->read(kPreambleBytes, &preamble); !read) return read.error();
  return start(std::move(source), preamble, options);
}

namespace {

std::vector<Event> grouped_by_thread(const std::vector<Event>& events, size_t threads) {
  std::vector<size_t> place(threads + 1);
  for (const Event& event : events) ++place[event.record.thread + 1];
  for (size_t i = 1; i <= threads; ++i) place[i] += place[i - 1];
  std::vector<Event> grouped(events.size());
  for (const Event& event : events) grouped[place[event.record.thread]++] = event;
  return grouped;
}

Error too_many(const std::string& name, uint64_t limit) {
  return {fmt::format("{} has more than {} events", name, limit), "read it in pieces, or raise the limit"};
}

}  // namespace

// Gathers the events of a binary trace. A free one comes in pieces of all
// threads; the threads are put one after the other.
Result<Trace> Reader::read_all(Reader reader, const std::string& name, uint64_t max_events) {
  std::vector<Event> all;
  std::vector<Event> piece;
  for (;;) {
    auto more = reader.next(&piece);
    if (!more) return more.error();
    if (!*more) break;
    if (all.size() + piece.size() > max_events) return too_many(name, max_events);
    all.insert(all.end(), piece.begin(), piece.end());
  }
  Trace trace = reader.tables();
  if (trace.header.mode == Mode::kFree) all = grouped_by_thread(all, trace.threads.size());
  trace.events = std::move(all);
  return trace;
}

namespace {

// Text traces are small enough to be parsed as a whole.
Result<Trace> parse_source(Source& source, const std::string& beginning, const ReadOptions& options) {
  auto rest = source.read_rest();
  if (!rest) return rest.error();
  auto trace = parse_text(beginning + *rest, source.name());
  if (trace && trace->events.size() > options.max_events) return too_many(source.name(), options.max_events);
  return trace;
}

}  // namespace

Result<Trace> Reader::read(std::unique_ptr<Source> source, const ReadOptions& options) {
  std::string beginning;
  if (auto got = source->read(kPreambleBytes, &beginning); !got) return got.error();
  if (looks_like_text(beginning)) return parse_source(*source, beginning, options);
  const std::string name = source->name();
  auto reader = start(std::move(source), beginning, options);
  if (!reader) return reader.error();
  return read_all(std::move(*reader), name, options.max_events);
}

Result<Trace> read_trace(const std::string& path, const ReadOptions& options) {
  auto source = Source::open(path);
  if (!source) return source.error();
  return Reader::read(std::move(*source), options);
}

Result<Trace> read_trace_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader::read(Source::over_bytes(bytes, name), options);
}

Result<Trace> visit_trace(const std::string& path, const EventVisitor& visit, const ReadOptions& options) {
  auto source = Source::open(path);
  if (!source) return source.error();
  std::string beginning;
  if (auto got = (*source)->read(kPreambleBytes, &beginning); !got) return got.error();
  if (looks_like_text(beginning)) {
    auto trace = parse_source(**source, beginning, options);
    if (!trace) return trace;
    for (const Event& event : trace->events) visit(*trace, event);
    trace->events.clear();
    return trace;
  }
  auto reader = Reader::start(std::move(*source), beginning, options);
  if (!reader) return reader.error();
  std::vector<Event> piece;
  for (;;) {
    auto more = reader->next(&piece);
    if (!more) return more.error();
    if (!*more) return reader->tables();
    for (const Event& event : piece) visit(reader->tables(), event);
  }
}

}  // namespace heddle::trace
