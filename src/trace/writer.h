// SPDX-License-Identifier: Apache-2.0
//
// Writes a trace file while the run goes on. The file is called PATH.partial
// until finish() renames it to PATH, so a file under its own name is always one
// that its writer meant to be whole.
//
//   auto writer = Writer::open("run.trace", header);
//   writer->add_threads(...); writer->add_sites(...);
//   writer->append(event);   // many times
//   writer->finish(ending);
//
// Memory is bounded: events are held until about 128 thousand are together, then
// written as one group of chunks, one or more per thread. When the disk is full
// the call returns an Error, and so does every call after it; what was whole
// before stays readable in PATH.partial. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"

namespace heddle::trace {

class Writer {
 public:
  static base::Result<Writer> open(const std::string& path, const Header& header);

  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  // Without finish(): writes what is held and leaves PATH.partial behind.
  ~Writer();

  // Tables grow at their end; an entry must be there before an event uses it.
  // Sites begin with the unknown place, as in Trace::sites.
  base::Result<void> add_threads(std::span<const Thread> threads);
  base::Result<void> add_sites(std::span<const Site> sites);
  base::Result<void> add_globals(std::span<const Global> globals);

  // The events of each thread in their order; in a controlled trace `sequence`
  // rises from call to call.
  base::Result<void> append(const Event& event);
  base::Result<void> append(std::span<const Event> events);

  // The payload of an event chunk of a free trace, in slots (abi/slot_coding.h).
  // Chunks of one thread come in their order.
  base::Result<void> append_encoded(uint32_t thread, std::string_view payload, uint64_t events);

  // Brings everything so far into the file.
  base::Result<void> flush();

  // Flushes, closes and gives the file its name. Without an ending the trace
  // says that the run broke off. Nothing may follow.
  base::Result<void> finish(const std::optional<Ending>& ending);

  // So far, in the file.
  uint64_t events_written() const;
  uint64_t bytes_written() const;
  // Before packing, of event chunks only.
  uint64_t plain_event_bytes() const;

 private:
  class State;
  explicit Writer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The whole trace as one file. Events of a free trace are grouped by thread.
base::Result<void> write_trace(const std::string& path, const Trace& trace);

}  // namespace heddle::trace
