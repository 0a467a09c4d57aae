// SPDX-License-Identifier: Apache-2.0
#include "causal/execution_bytes.h"

namespace heddle::causal {
namespace {

void write_event(EventId event, base::ByteWriter& out) {
  out.number(event.thread);
  out.number(event.index);
}

EventId read_event(base::ByteReader& in) {
  const ThreadId thread = static_cast<ThreadId>(in.number());
  return {thread, static_cast<uint32_t>(in.number())};
}

HeddleRecord read_record(base::ByteReader& in) {
  const auto records = in.plain<HeddleRecord>();
  if (records.size() != 1) in.fail();
  return records.empty() ? HeddleRecord{} : records.front();
}

bool fits(const Execution& execution) {
  for (const ThreadPart& part : execution.threads)
    if (!part.operations.empty() && part.histories.size() != part.operations.size() + 1) return false;
  for (const Happening& happening : execution.order)
    if (happening.event.index >= execution.length(happening.event.thread)) return false;
  for (const Failure& failure : execution.failures)
    if (failure.event.index >= execution.length(failure.event.thread)) return false;
  for (const Waiting& waiting : execution.waiting)
    if (waiting.thread >= execution.threads.size()) return false;
  return true;
}

}  // namespace

void write_execution(const Execution& execution, base::ByteWriter& out) {
  out.number(execution.threads.size());
  for (const ThreadPart& part : execution.threads) {
    out.plain(part.operations);
    out.plain(part.histories);
  }
  out.number(execution.order.size());
  for (const Happening& happening : execution.order) {
    write_event(happening.event, out);
    out.number((happening.is_flush ? 1 : 0) | (happening.is_dropped ? 2 : 0));
  }
  execution.initial.write(out);
  out.number(execution.ending.outcome);
  out.number(execution.ending.detail);
  out.text(execution.ending.message);
  out.number(execution.failures.size());
  for (const Failure& failure : execution.failures) {
    write_event(failure.event, out);
    out.number(failure.kind);
    out.text(failure.message);
  }
  out.number(execution.waiting.size());
  for (const Waiting& waiting : execution.waiting) {
    out.number(waiting.thread);
    out.plain(std::vector<HeddleRecord>{waiting.record});
  }
  out.number(execution.observations.size());
  for (const auto& [name, value] : execution.observations) {
    out.text(name);
    out.number(static_cast<uint64_t>(value));
  }
  out.number(execution.repeats.size());
  for (const auto& [event, length] : execution.repeats) {
    write_event(event, out);
    out.number(length);
  }
  out.plain(execution.untracked);
  out.number(execution.is_complete);
}

Execution read_execution(base::ByteReader& in) {
  Execution execution;
  execution.threads.resize(in.count(2));
  for (ThreadPart& part : execution.threads) {
    part.operations = in.plain<HeddleRecord>();
    part.histories = in.plain<HistoryId>();
  }
  execution.order.resize(in.count(3));
  for (Happening& happening : execution.order) {
    happening.event = read_event(in);
    const uint64_t flags = in.number();
    happening.is_flush = flags & 1;
    happening.is_dropped = flags & 2;
  }
  execution.initial.read(in);
  execution.ending.outcome = static_cast<HeddleOutcome>(in.number());
  execution.ending.detail = in.number();
  execution.ending.message = in.text();
  for (size_t left = in.count(4); left > 0; --left) {
    const EventId event = read_event(in);
    const auto kind = static_cast<HeddleFailure>(in.number());
    execution.failures.push_back({event, kind, in.text()});
  }
  for (size_t left = in.count(2); left > 0; --left) {
    const ThreadId thread = static_cast<ThreadId>(in.number());
    execution.waiting.push_back({thread, read_record(in)});
  }
  for (size_t left = in.count(2); left > 0; --left) {
    const std::string name = in.text();
    execution.observations[name] = static_cast<int64_t>(in.number());
  }
  for (size_t left = in.count(3); left > 0; --left) {
    const EventId event = read_event(in);
    execution.repeats[event] = static_cast<uint32_t>(in.number());
  }
  execution.untracked = in.plain<HeddleRecord>();
  execution.is_complete = in.number() != 0;
  if (!fits(execution)) in.fail();
  return execution;
}

}  // namespace heddle::causal
