// SPDX-License-Identifier: Apache-2.0
//
// --reduce=learn: explores the product of learned threads instead of the
// program. The program is run only where a thread has learned something that
// nobody has seen it learn before; what it does then is added to what is known
// of the thread. docs/explanation/learned_threads.md says why nothing is missed.
//
//   search.h            the exploration of the product
//   machine.h           what a step does to memory and synchronisation
//   automata.h          what is known of each thread
//   execution_reader.h  how they grow, and how every execution is checked
//
// Programs that do what the machine does not have, or that do not do the same
// again under the same circumstances, are explored by `mcr` instead.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "check/explorer.h"
#include "check/learn/execution_reader.h"
#include "check/learn/search.h"

namespace heddle::check {

class LearnExplorer : public Explorer {
 public:
  using MakeOther = std::function<std::unique_ptr<Explorer>()>;

  LearnExplorer(causal::MemoryModel memory, Budget& budget, MakeOther make_other);

  std::optional<Job> next() override;
  void learn(ExecutionRef execution) override;
  std::vector<Reason> gaps() const override;
  std::vector<std::string> notes() const override;
  bool foresees_all() const override { return !other_; }
  std::optional<Explored> explored() const override;

 private:
  void fall_back(const std::string& why);

  learn::Model model_;
  learn::Machine machine_;
  learn::Footprints footprints_;
  learn::ExecutionReader reader_;
  learn::Search search_;
  const MakeOther make_other_;
  std::unique_ptr<Explorer> other_;  // explores instead
  std::string why_other_;
  std::vector<property::PlannedStep> plan_;
  std::set<learn::PointId> hopeless_;  // running the program did not show what happens there
  std::optional<std::pair<learn::PointId, learn::Result>> missing_;  // what the last run was to show
  bool has_run_ = false;
  std::set<Reason> gaps_;
};

}  // namespace heddle::check
