// SPDX-License-Identifier: Apache-2.0
//
// Every kind of finding in words: what it is, what it takes to show it, what
// usually helps. `heddle explain`, the rules of SARIF and the HTML report are made
// from this one table.
#pragma once

#include <span>
#include <string_view>

namespace heddle::report {

struct FindingKind {
  std::string_view name;     // as in result.json: "use-after-free"
  std::string_view title;    // "Use after free"
  std::string_view summary;  // one sentence
  std::string_view help;     // what it takes, what helps; paragraphs are separated by an empty line
  std::string_view example;  // a command that shows one, from the root of the repository
};

std::span<const FindingKind> finding_kinds();

// Null for a kind that this version does not know.
const FindingKind* find_finding_kind(std::string_view name);

}  // namespace heddle::report
