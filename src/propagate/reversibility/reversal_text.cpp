// SPDX-License-Identifier: Apache-2.0
//
// Evidence for people.
#include <fmt/format.h>

#include <algorithm>

#include "naming/canonical_text.h"
#include "propagate/reversibility/reversibility.h"
#include "trace/kinds.h"

namespace heddle::propagate {

std::string reversal_text(const trace::Trace& trace, const Reversal& reversal) {
  const naming::Names names(trace);
  const auto line = [&](uint32_t event) { return naming::canonical_line(names, trace.events[event], {true}); };
  std::string text = fmt::format("In the run   {}\ncame before  {}\nbut they can happen the other way round:\n",
                                 line(reversal.first), line(reversal.second));
  for (const uint32_t event : reversal.order) {
    const bool is_one = event == reversal.first || event == reversal.second;
    text += fmt::format("  {} {}\n", is_one ? '>' : ' ', line(event));
    if (event == reversal.first) break;
  }
  return text;
}

}  // namespace heddle::propagate
