// SPDX-License-Identifier: Apache-2.0
//
// A trace as text without what differs from run to run for no reason: names of
// objects for addresses. Two runs of a program that does the same in each thread
// have the same lines, thread by thread.
#pragma once

#include <string>

#include "naming/names.h"
#include "trace/text.h"

namespace heddle::naming {

struct CanonicalOptions {
  // Values that point into objects are printed as "&heap T0#3+8", and sequence
  // numbers are left out. A number that happens to equal an address is renamed too.
  bool abstract_values = false;
};

std::string canonical_text(const trace::Trace& trace, const CanonicalOptions& options = {});
// Holds only one line at a time.
void canonical_text(const Names& names, const trace::TextSink& sink, const CanonicalOptions& options = {});

// The line of one event, without newline.
std::string canonical_line(const Names& names, const trace::Event& event, const CanonicalOptions& options = {});

}  // namespace heddle::naming
