// SPDX-License-Identifier: Apache-2.0
//
// What went wrong, in a form in which a recorded failure and that of a controlled
// run can be compared: kind, thread and place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/recording.h"
#include "reproduce/bug_condition.h"
#include "trace/trace.h"

namespace heddle::reproduce {

struct FailurePlace {
  enum class Kind : uint8_t { kAbort, kCrash, kDeadlock, kExit, kCondition };
  Kind kind = Kind::kAbort;
  std::string thread;  // kAbort, kCrash
  uint32_t site = 0;   // 0: not known
  int exit_code = 0;   // kExit
  // kCrash: the address that was accessed, if a controlled run has to crash at the same one. Where a process keeps its
  // code, heap, libraries and stacks, addresses are others each time; such a one says nothing.
  std::optional<uint64_t> address = {};
  // kDeadlock: threads that had not ended, and the call that each of them was in.
  std::vector<std::pair<std::string, uint32_t>> waiting = {};
  std::shared_ptr<const BugCondition> bug = nullptr;  // kCondition

  std::string text(const std::vector<trace::Site>& sites) const;
};

// Nothing: the recorded program did not fail.
std::optional<FailurePlace> failure_of(const record::Recording& recording);
// Whether the run failed like that: the same kind of failure of the same thread at the same place.
bool fails_like(const trace::Trace& trace, const FailurePlace& wanted);

}  // namespace heddle::reproduce
