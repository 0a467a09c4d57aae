// SPDX-License-Identifier: Apache-2.0
//
// A schedule: which thread does what next, as a value that can be made by hand,
// by a solver or from a trace, kept in a file and followed by a controlled run.
// docs/reference/schedule_format.md says what each step means and how the file
// looks:
//
//   heddle-schedule 1
//   module "0123456789abcdef"
//   instrumentation 2
//   memory "sc"
//   rules "check"
//   result "assertion: counter == 2"
//   op T0 0 @3 "counter.c:21:3"
//   op T0.0 0
//   nondet T0.0 1 = -4
//   end
//
// A schedule need not reach the end of the run: after its last step the
// continuation policy of the request decides (policies.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/channel.h"
#include "base/result.h"
#include "schedule/memory_model.h"
#include "schedule/thread_name.h"

namespace heddle::schedule {

enum class StepKind : uint32_t {
  kOp = HEDDLE_STEP_OP,              // the thread performs its operation `index`
  kFlush = HEDDLE_STEP_FLUSH,        // its buffered store `index` reaches memory
  kWake = HEDDLE_STEP_WAKE,          // the signal before this step wakes it; `index` is where it goes on
  kTimeout = HEDDLE_STEP_TIMEOUT,    // as kOp, and the wait runs out
  kSpurious = HEDDLE_STEP_SPURIOUS,  // as kOp, and it wakes without reason
  kNondet = HEDDLE_STEP_NONDET,      // as kOp, and `value` is what it chooses
};

// "op", "flush", ...
const char* step_kind_name(StepKind kind);
std::optional<StepKind> find_step_kind(std::string_view name);

struct Step {
  StepKind kind = StepKind::kOp;
  ThreadName thread;
  uint32_t index = 0;
  std::string place;  // "file:line:column" for the reader; may be empty, never compared in a run
  uint32_t site = 0;  // a run diverges if the operation is at another site; 0: any
  int64_t value = 0;  // of kNondet only
  bool operator==(const Step&) const = default;
};

struct Schedule {
  std::string module_hash;  // of the bitcode it is for; empty: any
  uint32_t instrumentation_version = 0;
  MemoryModel memory_model = MemoryModel::kSc;
  bool check_rules = false;  // as runs of a check: each thread has its own clock, loops that only wait are waits
  std::string result;        // what following it comes to (result.h); empty: not said
  std::vector<Step> steps;
  bool operator==(const Schedule&) const = default;
};

// parse_schedule(write_schedule(s)) is s for every s whose values stand in
// nondet steps only.
std::string write_schedule(const Schedule& schedule);

// The same piece by piece, for one that is too long to be held as a value.
class ScheduleText {
 public:
  explicit ScheduleText(const Schedule& facts);  // its steps do not count
  void add(const Step& step);
  std::string finish();

 private:
  std::string text_;
};

// `name` stands for the file in messages, which give the line and what was
// expected there.
base::Result<Schedule> parse_schedule(std::string_view text, const std::string& name = "schedule");

base::Result<Schedule> read_schedule(const std::string& path);
// Replaces the file whole or not at all.
base::Result<void> write_schedule_file(const std::string& path, const Schedule& schedule);

}  // namespace heddle::schedule
