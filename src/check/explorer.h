// SPDX-License-Identifier: Apache-2.0
//
// How a program's executions are chosen. An explorer says what to run next and
// is told what happened; the session (session.h) runs it, keeps the books and
// decides when to stop. Each reduction and each search is one explorer.
//
// An explorer in this form is asked and told by one thread at a time. It may let
// several jobs be run at once (may_run_ahead). One that also wants its own
// thinking done by several workers is a WorkSource (work.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abi/channel.h"
#include "causal/execution.h"
#include "check/report.h"
#include "property/plan.h"

namespace heddle::property {
struct Race;
}

namespace heddle::check {

struct Job {
  std::vector<property::PlannedStep> plan = {};  // followed first
  HeddleStrategy strategy = HEDDLE_STRATEGY_DEFAULT;
  uint64_t seed = 0;
  uint32_t expected_length = 0;                     // of the execution, in events; 0: not known
  bool lists_options = false;                       // the execution is to tell its choice points
  std::vector<property::PlannedStep> avoided = {};  // put off after the plan, while something else can happen
  bool runs_all_orders = false;  // other orders of all operations that depend on each other are run too
  bool is_repeat = false;        // seen before
  bool is_apart = false;         // in a process that runs nothing but such jobs
  bool is_in_line = false;       // all such jobs in one process; there is one at a time
  uint64_t number = 0;           // of one that may be run ahead (work.h); 0: it may not
  bool tells_states = false;     // the execution is to tell what threads know (causal::PrivateState)
  bool is_foreseen = false;      // what other orders of it could come to is known anyway
  std::shared_ptr<const property::Race> race = nullptr;  // the run is to show this one
};

using ExecutionRef = std::shared_ptr<const causal::Execution>;

class Explorer {
 public:
  virtual ~Explorer() = default;

  // What to run next; none: there is nothing left, or nothing until what was
  // given is learned.
  virtual std::optional<Job> next() = 0;
  // What a job did; in the order in which jobs were given.
  virtual void learn(ExecutionRef execution) = 0;
  // May next() be asked although the jobs given last are not learned yet? What it
  // gives then must not depend on how many that are.
  virtual bool may_run_ahead() const { return false; }
  // Why the exploration is not complete although nothing is left; empty: it is.
  virtual gaps::Gaps gaps() const { return {}; }
};

}  // namespace heddle::check
