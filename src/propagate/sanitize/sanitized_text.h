// SPDX-License-Identifier: Apache-2.0
//
// A sanitised trace as text: the objects, the threads, and the events, as in
// figure 4 of TraceSanitizer.
//
//   object global a.c:arr := {address 0x2046dc, thread -, index 0, size 8, valid always}
//   object stack T0#0 := {address 0x7ffe5d0, thread T0, index 0, size 8, valid [T0:<0, T0:<8]}
//   thread 1 := T0.0
//   T0.0 1 load global a.c:arr 4 = 3 @a.c:3:44 inc
//
// The lines of events have no addresses and no order between threads in them: they
// are the same in every run of a program that does the same. Objects are those
// that the trace refers to.
#pragma once

#include <cstdint>

#include "propagate/sanitize/sanitizer.h"
#include "trace/text.h"

namespace heddle::propagate {

struct SanitizedTextOptions {
  bool tables = true;   // objects and threads
  bool merged = false;  // events of all threads in one order of the run; else thread by thread
};

void sanitized_text(const trace::Trace& trace, const trace::TextSink& sink, const SanitizedTextOptions& options = {});

}  // namespace heddle::propagate
