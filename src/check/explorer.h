// SPDX-License-Identifier: Apache-2.0
//
// How a program's executions are chosen. An explorer says what to run next and
// is told what happened; the session (session.h) runs it, keeps the books and
// decides when to stop. Each reduction and each search is one explorer.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abi/channel.h"
#include "causal/execution.h"
#include "check/report.h"
#include "property/plan.h"

namespace heddle::check {

struct Job {
  std::vector<property::PlannedStep> plan = {};  // followed first
  HeddleStrategy strategy = HEDDLE_STRATEGY_DEFAULT;
  uint64_t seed = 0;
  uint32_t expected_length = 0;                // of the execution, in events; 0: not known
  bool lists_options = false;                  // the execution is to tell its choice points
  std::vector<property::PlannedStep> avoided = {};  // put off after the plan, while something else can happen
};

// What an explorer knows without having run it.
struct Explored {
  std::optional<uint64_t> states;  // none: histories were merged
  std::set<Outcome> outcomes = {};
  uint64_t product_states = 0, histories = 0, bytes = 0;
};

using ExecutionRef = std::shared_ptr<const causal::Execution>;

class Explorer {
 public:
  virtual ~Explorer() = default;

  // What to run next; none: there is nothing left.
  virtual std::optional<Job> next() = 0;
  // What the job last given did.
  virtual void learn(ExecutionRef execution) = 0;
  // Why the exploration is not complete although nothing is left; empty: it is.
  virtual std::vector<Reason> gaps() const { return {}; }
  // What people should know about the way it went.
  virtual std::vector<std::string> notes() const { return {}; }
  // True: what other orders of an execution could come to is looked at anyway.
  virtual bool foresees_all() const { return false; }
  // Instead of what the session counted.
  virtual std::optional<Explored> explored() const { return std::nullopt; }
};

}  // namespace heddle::check
