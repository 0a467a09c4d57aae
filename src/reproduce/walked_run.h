// SPDX-License-Identifier: Apache-2.0
//
// A failing run (failing_run.h) out of what is known of the recorded ways
// (known_paths.h). Each thread is cut where nobody knows how it goes on; if that is
// a branch at which it left its way, the branch may be turned, so that the
// symbolic walker (symbolic/walker.h) makes a condition of it: the thread goes on as
// recorded. An order of these operations that fulfils the conditions brings the
// next run further.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "build/numbered_program.h"
#include "reproduce/beginning.h"
#include "reproduce/bug_condition.h"
#include "reproduce/failing_run.h"
#include "reproduce/known_paths.h"
#include "symbolic/walker.h"

namespace heddle::reproduce {

struct WalkedBeginnings;

struct WalkChoices {
  std::vector<bool> turned;  // by thread: a branch that deviates is turned; otherwise the thread ends before it
  // What a thread did after its recorded way and the first chance to wait; otherwise it is taken not to have happened.
  bool keeps_tails = false;
  bool keeps_held = true;  // conditions about what the walker does not understand
  uint32_t failing_thread = kNobody;
  bool all_before = false;            // what others surely did came before the failing thread's last operation
  const BugCondition* bug = nullptr;  // what this read must have found
  OperationId bug_read = {};
  const std::atomic<bool>* stop = nullptr;  // becomes true when walks are to end where they are
  uint32_t crash_site = 0;               // not 0: there, after all of its recorded way, the failing thread accesses ...
  uint64_t crash_address = 0;            // ... this address
  const Beginning* beginning = nullptr;  // is taken as it was; all that is known begins with it. Null: none
  const WalkedBeginnings* walked = nullptr;  // if there is one
};

// The beginning (beginning.h), walked once for all questions. `stop`: as in WalkChoices.
struct WalkedBeginnings {
  solve::Terms terms;
  std::vector<symbolic::WalkedBeginning> threads;
};
std::unique_ptr<WalkedBeginnings> walk_beginning(const KnownPaths& known, const Beginning& beginning,
                                                 const build::NumberedProgram& program, const std::atomic<bool>* stop);

struct WalkedRun {
  FailingRun run;
  uint64_t held = 0;                 // results that the walker left as they were
  std::vector<std::string> reasons;  // threads that it could not follow
  std::vector<std::vector<uint64_t>>
      positions;  // by thread and operation: bits of the path before it, of what is there of the path
  struct Place {
    uint32_t lasting = 0;    // so many operations stand for the beginning, and
    uint32_t performed = 0;  // those after them follow on so many of the run
  };
  std::vector<Place> places;  // by thread
  // The operation as runs number it; nothing: it stands for the beginning.
  std::optional<OperationId> in_run(OperationId id) const;
};

// What is known comes from traces made with RunRequest::replaced.
WalkedRun walk(const KnownPaths& known, const WalkChoices& choices, const build::NumberedProgram& program,
               const SwitchNumbers& switches);

// Places operations on cores, as far as the recording says which core performed them.
void add_cores(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording);

}  // namespace heddle::reproduce
