// SPDX-License-Identifier: Apache-2.0
//
// What a checker said about a program against the truth.
#pragma once

#include <string>
#include <vector>

#include "oracle/races.h"
#include "oracle/subject.h"

namespace heddle::oracle {

enum class Demand : uint8_t {
  kEqual,   // everything that is true, and nothing else
  kSubset,  // nothing that is not true; for searches that promise no more
};

// Empty if they agree; else what is missing and what is too much, one a line.
// `lines`: of the operations, by number. Races are compared if there are any
// to compare with.
std::string differences(const Program& program, const std::vector<int>& lines, const Truth& truth, const Races* races,
                        const CheckedResult& checked, Demand demand);

std::string to_text(const Outcome& outcome);
const char* name_of(MemoryModel model);

}  // namespace heddle::oracle
