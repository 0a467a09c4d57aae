// SPDX-License-Identifier: Apache-2.0
//
// Traces in the STD form of RAPID and other predictive analysers, out and in:
//
//   T0|fork(T0.0)|3        thread | operation | place
//   T0.0|acq(L1)|7         r(V) w(V) acq(L) rel(L) fork(T) join(T)
//
// Going out, things that the form has no words for are left out and counted:
// the caller says so. Variables are ranges of bytes that overlapping accesses
// share, numbered as they first occur, so no conflict is lost; a
// read-modify-write is a read and a write; only the outermost lock of a
// recursive mutex counts; a reader-writer lock counts as a mutex (which excludes
// more than it does, and is counted as an approximation).
//
// Coming in, what the form does not say is filled in: every write writes a value
// of its own, every read sees the last write, threads start with their first and
// end with their last event, and threads that nobody forks are created by the
// first thread at the beginning.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/text.h"
#include "trace/trace.h"

namespace heddle::trace {

struct StdExport {
  uint64_t lines = 0;
  std::map<std::string, uint64_t> left_out;      // kind: how many visible events
  std::map<std::string, uint64_t> approximated;  // kind: how many
};

// A controlled trace: the form is a total order, which a free trace does not have.
base::Result<StdExport> export_std(const Trace& trace, const TextSink& sink);

// `name` stands for the file in messages.
base::Result<Trace> import_std(std::string_view text, const std::string& name);

}  // namespace heddle::trace
