// SPDX-License-Identifier: Apache-2.0
//
// Every gap (abi/gap.h) in words: what is missing from the answer, and what the
// user can do about it. result.json, reports and `heddle explain` are made from
// this one table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gaps/gap.h"

namespace heddle::report {

struct GapText {
  std::string_view text;  // one clause; {} stands for the detail
  std::string_view help;  // what the user can do; empty: nothing that is known
};

GapText gap_text(HeddleGap kind);

// A gap as it is written into result.json and read from there again.
struct Reason {
  std::string code, text, help;
};

Reason reason_of(const gaps::Gap& gap);
std::vector<Reason> reasons_of(const gaps::Gaps& gaps);

// All gaps, in the order of their numbers.
std::vector<HeddleGap> all_gaps();

}  // namespace heddle::report
