// SPDX-License-Identifier: Apache-2.0
//
// A trace as JSON for Perfetto (ui.perfetto.dev) and chrome://tracing: one track
// per thread; a slice for every critical section and every synchronisation
// event, a mark for every other event; arrows from creation to start, from end
// to join, and from an unlock to the next lock of the same mutex.
//
// Time is order, not duration: event number n of a controlled trace happens at n
// microseconds. In a free trace an event happens as early as its own thread and
// the numbered events before it allow.
#pragma once

#include "trace/text.h"
#include "trace/trace.h"

namespace heddle::trace {

// `sink` gets the JSON in pieces. The trace need not be valid.
void export_perfetto(const Trace& trace, const TextSink& sink, const AddressNamer& namer = {});

}  // namespace heddle::trace
