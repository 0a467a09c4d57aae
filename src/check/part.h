// SPDX-License-Identifier: Apache-2.0
//
// A part of an execution that is to be kept: of each thread its first operations
// (the cut), with the results they had, except that some loads are free: no
// operation of the part depends on them. A load that something in the part
// depends on keeps its value, and so do loads that are pinned although nothing
// there uses them, because their value is what the part was made for.
#pragma once

#include <vector>

#include "causal/cut.h"
#include "causal/first_uses.h"

namespace heddle::check {

struct Part {
  causal::Cut cut;
  std::vector<causal::EventId> pinned;       // ascending
  std::vector<causal::EventId> free;         // ascending
  std::vector<causal::HistoryId> histories;  // by thread: at the end of the cut, with free loads left open
  std::vector<causal::HistoryId> known;      // by thread: a history that every execution with this part has

  // What tells it from other parts; replaces what is in `key`.
  void make_key(std::vector<uint32_t>& key) const;
};

// The part of `execution` up to `cut`, with the alternative's result; what was
// pinned in `before` stays pinned, as far as it is in the cut, and the
// alternative is pinned. Becomes `part`, whose memory is used again.
void make_part(const causal::Execution& execution, const causal::FirstUses& uses, const causal::Cut& cut,
               const Part& before, const causal::Alternative& alternative, causal::Histories& histories, Part& part);

bool contains(const causal::Execution& execution, const Part& part, causal::Histories& histories);

}  // namespace heddle::check
