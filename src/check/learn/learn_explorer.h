// SPDX-License-Identifier: Apache-2.0
//
// --reduce=learn: explores the product of learned threads instead of the
// program. The program is run only where a thread has learned something that
// nobody has seen it learn before; what it does then is added to what is known
// of the thread. docs/explanation/learned_threads.md says why nothing is missed.
//
//   product_search.h    the exploration of the product
//   machine.h           what a step does to memory and synchronisation
//   automata.h          what is known of each thread
//   execution_reader.h  how they grow, and how every execution is checked
//
// At the end everything is run once more in another process: whatever was
// learned has then been seen twice, or the program is said to be
// nondeterministic. Several workers do that at once, and begin with it while the
// product is still being explored.
//
// A checkpoint keeps the paths of all runs: whoever resumes runs them again, and
// so learns again all that was known.
//
// Programs that do what the machine does not have, or that do not do the same
// again under the same circumstances, are explored by `mcr` instead, or by `dpor`
// where memory that was released is used again (--heap=reuse).
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "check/learn/execution_reader.h"
#include "check/learn/product_search.h"
#include "check/learn/race_watch.h"
#include "check/learn/symmetry.h"
#include "check/options.h"
#include "check/work.h"

namespace heddle::check {

class LearnExplorer : public WorkSource {
 public:
  // A thread's name and a place of the source, for people.
  using Naming = std::function<std::pair<std::string, std::string>(causal::ThreadId thread, uint32_t site)>;

  // The references must outlive it.
  LearnExplorer(const Options& options, causal::Histories& histories, Budget& budget, Naming naming);

  std::unique_ptr<Work> take() override;
  void commit(Work& work, Bench& bench) override;
  std::optional<Job> ahead() override;
  bool has_jobs_in_line() const override { return merges_; }
  gaps::Gaps gaps() const override;
  std::vector<std::string> notes() const override;
  std::optional<Explored> explored() const override;
  bool save(CheckpointSections& sections) override;  // learn_checkpoint.cpp
  void restore(base::ByteReader& in) override;
  solve::Statistics solved() const override { return other_ ? other_->solved() : solve::Statistics(); }

 private:
  class RunWork;

  std::optional<Job> next();
  Job run_along_path(bool last_is_missing);
  Job run_into_race();
  bool has_repeats() const { return repeated_ < runs_.size() || repeated_exchanges_ < exchanged_.size(); }
  std::optional<Job> repeat();
  Job job_to_repeat(size_t run);
  Job settled(Job job) const;
  Job run_again(size_t run, bool last_is_missing);
  void learn(const causal::Execution& execution, const std::vector<property::PlannedStep>& plan);
  std::string text_of(const learn::Mismatch& difference) const;
  enum class Other : uint8_t { kMcr, kDpor };
  void fall_back(const std::string& why, Other other = Other::kMcr);
  void note_symmetry(const causal::Execution& execution, bool is_exchange);
  void keep_threads_apart();
  void save_paths(base::ByteWriter& out) const;

  const Options& options_;
  causal::Histories& histories_;
  Budget& budget_;
  const Naming naming_;
  learn::Model model_;
  learn::Machine machine_;
  std::unique_ptr<learn::RaceWatch> races_;  // null: nobody asks for races
  const bool merges_;                        // histories; not where loops are counted, which a thread does not know of
  learn::Footprints footprints_;
  learn::ExecutionReader reader_;
  learn::ProductSearch search_;
  std::unique_ptr<learn::Symmetry> symmetry_;    // null: nobody asks for it
  std::deque<learn::Symmetry::Plan> exchanges_;  // to be run: what was run before, with threads in each other's places
  bool is_exchange_ = false;                     // what is run now is one of them
  std::vector<std::vector<learn::Step>> exchanged_;  // the paths of those that were run
  size_t repeated_exchanges_ = 0;
  std::unique_ptr<WorkSource> other_;  // explores instead
  bool is_dpor_ = false;               // the other one
  std::string why_other_;
  std::set<learn::PointId> hopeless_;  // running the program did not show what happens there
  std::optional<std::pair<learn::PointId, learn::Result>> missing_;  // what the last run was to show
  // The paths of all runs, one after another, where each ends, and whether its last step was missing then.
  struct RunPath {
    size_t end;
    bool last_is_missing;
  };
  std::vector<learn::Step> paths_;
  std::vector<RunPath> runs_;
  size_t learned_ = 0;   // how many of the runs are
  size_t restored_ = 0;  // how many come from a checkpoint
  size_t repeated_ = 0;
  std::optional<learn::FoundRace> running_race_;  // what the run is to show
  bool has_run_ = false;
  size_t running_ = 0;         // how many pieces were taken and not committed
  bool is_repeating_ = false;  // what was taken last is a repeat
  std::mutex ahead_lock_;      // of what follows
  std::deque<Job> ahead_;      // repeats that somebody may run already
  gaps::Gaps gaps_;
};

}  // namespace heddle::check
