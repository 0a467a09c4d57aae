// SPDX-License-Identifier: Apache-2.0
//
// Evidence for people.
#include <fmt/format.h>

#include <algorithm>

#include "naming/canonical_text.h"
#include "propagate/reversibility/reversibility.h"

namespace heddle::propagate {
namespace {

// Of what happens between, so much at either end.
constexpr size_t kShown = 6;

}  // namespace

std::string reversal_text(const trace::Trace& trace, const Reversal& reversal) {
  const naming::Names names(trace);
  const auto line = [&](uint32_t event) { return naming::canonical_line(names, trace.events[event], {true}); };
  std::string text = fmt::format("In the run   {}\ncame before  {}\nbut they can happen the other way round:\n",
                                 line(reversal.first), line(reversal.second));
  const auto is_one = [&](uint32_t event) { return event == reversal.first || event == reversal.second; };
  const auto end = std::find(reversal.order.begin(), reversal.order.end(), reversal.first) + 1;
  for (auto at = reversal.order.begin(); at != end;) {
    if (is_one(*at)) {
      text += fmt::format("  > {}\n", line(*at++));
      continue;
    }
    const auto next = std::find_if(at, end, is_one);
    const auto between = static_cast<size_t>(next - at);
    for (size_t i = 0; i < between; ++i) {
      if (between <= 2 * kShown || i < kShown || i >= between - kShown) {
        text += fmt::format("    {}\n", line(at[static_cast<ptrdiff_t>(i)]));
      } else if (i == kShown) {
        text += fmt::format("    ... {} more\n", between - 2 * kShown);
      }
    }
    at = next;
  }
  return text;
}

}  // namespace heddle::propagate
