// SPDX-License-Identifier: Apache-2.0
//
// Reads trace files, binary and text, whatever state they are in.
//
//   whole file            the trace, complete as it was written
//   broken off            what is there up to the last whole chunk; complete is
//                         false and Trace::damage says where the file stops
//   damaged in between    an Error that says at which byte and what is wrong; with
//                         `salvage`, what came before, and `damage` says the same
//
// What comes back is always a prefix of what was written: of the total order in
// a controlled trace, of every thread in a free one. Any bytes may be read:
// lengths are checked before memory is taken.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace heddle::trace {

class Source;

struct ReadOptions {
  bool salvage = false;
  // To hold at once; more are an Error, for a small file may unpack to any number
  // of events. Reader and visit_trace hold few and have no such limit.
  uint64_t max_events = 50'000'000;
};

base::Result<Trace> read_trace(const std::string& path, const ReadOptions& options = {});
// `name` stands for the path in messages.
base::Result<Trace> read_trace_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options = {});

// Reads a binary trace in pieces, so that no more than one group of events is in
// memory. A controlled trace comes in its total order; a free one chunk by chunk,
// each thread in its order.
class Reader {
 public:
  static base::Result<Reader> open(const std::string& path, const ReadOptions& options = {});
  // The bytes must outlive the reader.
  static base::Result<Reader> over_bytes(std::string_view bytes, const std::string& name,
                                         const ReadOptions& options = {});

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  // Replaces `events` by the next ones; false when there are no more.
  base::Result<bool> next(std::vector<Event>* events);

  // Header and tables as far as they were met; ending and damage after the last
  // next(). `events` stays empty.
  const Trace& tables() const;

  // For the functions of this file: goes on after the first 16 bytes of a source;
  // reads one of either form to its end.
  static base::Result<Reader> start(std::unique_ptr<Source> source, std::string_view preamble,
                                    const ReadOptions& options);
  static base::Result<Trace> read(std::unique_ptr<Source> source, const ReadOptions& options);

 private:
  static base::Result<Trace> read_all(Reader reader, const std::string& name, uint64_t max_events);
  class State;
  explicit Reader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Calls `visit` with every event of a trace, binary or text, in the order of
// Reader; returns the trace without its events. The tables that `visit` gets
// hold all that its event refers to.
using EventVisitor = std::function<void(const Trace& tables, const Event& event)>;
base::Result<Trace> visit_trace(const std::string& path, const EventVisitor& visit, const ReadOptions& options = {});

}  // namespace heddle::trace
