// SPDX-License-Identifier: Apache-2.0
//
// Traces as text: one line per event, made to be read, compared and written by
// hand. docs/reference/trace_format.md has the grammar.
//
//   heddle-trace text 1
//   mode controlled
//   thread T0
//   thread T0.0
//   site 7 "counter.c":12:3 "worker" "counter"
//   T0.0 12 store 0x4041a0 4 = 1 relaxed @7
//   end exit 0
//
// Two forms. The plain form holds everything and can be parsed again. The
// canonical form, chosen by giving a namer, has the names of objects for
// addresses and source places for site numbers, so that the texts of two runs
// can be compared; it is for reading only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"

namespace heddle::trace {

// The name of what lies at `address` when `event` happens.
using AddressNamer = std::function<std::string(const Event& event, uint64_t address)>;
// Takes pieces of the text, in order.
using TextSink = std::function<void(std::string_view)>;

std::string write_text(const Trace& trace, const AddressNamer& namer = {});
// Holds only one line at a time.
void write_text(const Trace& trace, const TextSink& sink, const AddressNamer& namer = {});

// The line of one event, without its sequence number and newline.
std::string event_text(const Trace& trace, const Event& event, const AddressNamer& namer = {});

// "counter.c:12:3 worker", or "?" for the unknown place.
std::string site_text(const Trace& trace, uint32_t site);

// `name` stands for the file in messages, which say the line and what was
// expected there. Without an `end` line the trace is incomplete.
base::Result<Trace> parse_text(std::string_view text, const std::string& name);

// Whether a file that begins so is a text trace.
bool looks_like_text(std::string_view beginning);

}  // namespace heddle::trace
