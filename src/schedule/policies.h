// SPDX-License-Identifier: Apache-2.0
//
// What decides when a schedule has no more steps: a continuation policy, as data
// that a run request carries into the target. And the user's word for it:
// --strategy=default|random|pct|replay:FILE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/channel.h"
#include "base/result.h"

namespace heddle::schedule {

enum class PolicyKind : uint32_t {
  kDefault = HEDDLE_STRATEGY_DEFAULT,  // the current thread goes on; else the lowest name
  kRandom = HEDDLE_STRATEGY_RANDOM,    // uniformly among what can happen next
  kPct = HEDDLE_STRATEGY_PCT,          // random priorities that drop at a few random events
};

// "default", "random", "pct"
const char* policy_kind_name(PolicyKind kind);

struct Policy {
  PolicyKind kind = PolicyKind::kDefault;
  uint64_t seed = 0;
  // PCT finds a bug of depth pct_changes + 1 in a run of pct_length events over n
  // threads with probability at least 1 / (n * pct_length ^ pct_changes).
  uint32_t pct_changes = 3;
  uint32_t pct_length = 1000;
  bool allow_timeouts = false;  // timed waits may run out although something else could happen
  bool allow_spurious = false;  // waits may end without reason
  bool operator==(const Policy&) const = default;
};

// A schedule to follow first, if any, and how to go on after it.
struct Strategy {
  std::optional<std::string> replay;  // path of a schedule file
  Policy policy;
  bool operator==(const Strategy&) const = default;
};

// "default", "random", "pct", "replay:FILE". Numbers keep their defaults.
base::Result<Strategy> parse_strategy(std::string_view text);
// What parse_strategy understands; for headers of traces and for messages.
std::string strategy_text(const Strategy& strategy);

}  // namespace heddle::schedule
