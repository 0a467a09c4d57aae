// SPDX-License-Identifier: Apache-2.0
//
// From a recording to a run that fails in the same way. The program itself is
// asked what it does, one controlled run after the other:
//
//   run        under a schedule; what threads do on their recorded ways is
//              remembered, from whatever run it is (known_paths.h)
//   walk       these ways, up to where they end or nobody knows more; there is a
//              branch that went another way, which is turned (walked_run.h)
//   explain    an order in which one thread gets past that point (explanation.h); it
//              becomes the next schedule, and shows how the thread goes on
//
// until a run fails like the recorded one. The recorded run passed some such point
// with nothing but what is known, so there is always a thread that can be helped.
// When all ways are known, all of them are explained together: the run that comes of
// it goes the recorded way in every thread. If that takes too long, a run that
// merely fails in the same way counts too.
//
// Of long ways only the last part is explained: a run brings the threads near to where
// they left their ways, or to their ends, and all that follow begin as it did
// (beginning.h, search_beginning.cpp). If that leads nowhere, more is explained, and from another beginning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/numbered_program.h"
#include "execute/executor.h"
#include "record/recording.h"
#include "reproduce/beginning.h"
#include "reproduce/deadline.h"
#include "reproduce/explanation.h"
#include "reproduce/failure_place.h"
#include "reproduce/known_paths.h"
#include "reproduce/walked_run.h"

namespace heddle::reproduce {

// How far the search is.
struct SearchProgress {
  uint64_t runs = 0, known_bits = 0, recorded_bits = 0;
  double seconds = 0, left = 0;
};

struct SearchOptions {
  ExplanationOptions explanation;  // its seconds are those of the whole search
  uint64_t most_runs = 2000;
  std::shared_ptr<const BugCondition> bug;  // the failure; null: the one that was recorded
  bool lacks_inputs =
      false;  // some that were recorded cannot be given: what is not found soon is not searched for long
  const std::atomic<bool>* interrupted = nullptr;            // when it becomes true, the search ends with what it has
  std::function<void(const SearchProgress&)> progress = {};  // called now and then, from the thread that searches
  double seconds_for_paths = 5;  // after a run that fails as recorded: to find one that goes the recorded ways, too
};

struct SearchStatistics {
  uint64_t runs = 0;      // controlled
  uint64_t restarts = 0;  // from random schedules
  uint64_t explanations = 0;
  uint64_t agreed_bits = 0, recorded_bits = 0;  // of the run that counts, or else of the best one
  uint64_t known_bits = 0;                      // by all runs together
  uint64_t fixed_operations =
      0;                 // at the beginning of the run that counts, or else of the last one: taken as a run did them
  bool follows = false;  // the run that counts goes all of the recorded ways, and none leaves them
  double run_seconds = 0, walk_seconds = 0;
  ExplanationStatistics whole;  // of the system of the run that fails as recorded, solved once more from the beginning
  bool whole_is_measured = false;  // else it was too large, or time was up
  bool whole_is_solved = false;
  std::string whole_reason;  // if not: why
  uint64_t solver_rounds = 0;
  double solve_seconds = 0;  // of all explanations
};

struct SearchResult {
  std::optional<schedule::Schedule> schedule;  // leads to the failure
  std::string reason;                          // if there is none: what was too much
  SearchStatistics statistics;
  bool interrupted = false;
};

class Search {
 public:
  // The target records functions, branches and values; `recorded_reads`: sites of which the recording may
  // have checks. All must outlive this.
  Search(const record::Recording& recording, const FailurePlace& failure, const execute::Subject& subject,
         const build::NumberedProgram& program, const SwitchNumbers& switches, const std::set<uint32_t>& recorded_reads,
         const SearchOptions& options);
  base::Result<SearchResult> run(const execute::ExecutorOptions& how);

 private:
  // A run beside the recording.
  struct Attempt {
    trace::Trace trace;
    KnownPaths::Lesson lesson;
    bool reproduces = false;
    bool follows = false;  // the recorded way, in every thread, to its end
  };
  // So many bits of each path are asked for, from their end; so many operations, in all threads, are explained.
  struct Try {
    uint64_t bits = 0, operations = 0;
  };
  // What was asked about a thread, as long as nothing more is known.
  struct Asked {
    uint32_t times = 0;
    bool is_settled = false;  // asking again brings the same
  };
  // `holds`: see RunRequest.
  base::Result<Attempt> perform(const schedule::Schedule* schedule, uint64_t seed,
                                const std::vector<schedule::Step>* holds = nullptr);
  // Performs, and remembers what reproduces the failure. True: something is new, or the search is over.
  base::Result<bool> try_schedule(const schedule::Schedule* schedule, uint64_t seed);
  // How the question about a thread may be put, the best first.
  std::vector<WalkChoices> questions(uint32_t thread) const;
  std::vector<WalkChoices> whole_questions() const;
  std::vector<WalkChoices> bug_questions(WalkChoices choices) const;
  WalkedRun walk_known(const WalkChoices& choices);
  std::optional<schedule::Schedule> ask(const WalkedRun& walked, uint32_t times, bool only_retraces, bool& is_settled);
  // Puts one question after the other. True: something is new, or the search is over.
  base::Result<bool> put(const std::vector<WalkChoices>& questions, Asked& asked);
  base::Result<bool> put_once(const std::vector<WalkChoices>& questions, uint32_t times, bool only_retraces,
                              bool& is_settled);
  base::Result<bool> advance();
  bool explains_all() const;
  // Of what is known, too much would have to be explained.
  bool is_long() const;
  // Makes a run bring the threads together near the ends of what is known, and takes that as the beginning from now on.
  base::Result<void> begin_later();
  std::vector<schedule::Step> places_to_meet() const;
  // What is tried leads nowhere: runs begin as they like again, and perhaps only a shorter part of each way is asked
  // for.
  void try_otherwise();
  const Try& current_try() const { return kTries[tries_ % std::size(kTries)]; }
  bool is_try_over() const { return can_try_otherwise() && now() > end_of_try_; }
  bool can_try_otherwise() const;
  void begin_try();
  // The system of all that the recorded paths say, for comparison with others.
  void measure();
  void take(const Attempt& attempt);
  bool is_over() const {
    return is_final_ || left() <= 0 || deadline_->reached() || result_.statistics.runs >= options_.most_runs;
  }
  double left() const;
  static double now();

  static constexpr Try kTries[] = {{~0ull, 600},  {2000, 600},  {200, 150}, {40, 60},
                                   {~0ull, 2500}, {2000, 2500}, {200, 600}, {40, 150}};

  const record::Recording& recording_;
  const FailurePlace& failure_;
  const execute::Subject& subject_;
  const build::NumberedProgram& program_;
  const SwitchNumbers& switches_;
  const std::set<uint32_t>& recorded_reads_;
  const SearchOptions& options_;
  std::unique_ptr<execute::Executor> executor_;
  record::Recording asked_for_;         // as recorded, or only the last part of it
  KnownPaths known_;                    // of that
  std::optional<Beginning> beginning_;  // all runs start with it
  std::unique_ptr<WalkedBeginnings> walked_beginning_;
  uint64_t tries_ = 0;
  double end_of_try_ = 0;
  std::vector<Asked> asked_;  // by thread
  Asked whole_;
  SearchResult result_;
  bool is_final_ = false;      // nothing better can be found
  uint64_t skipped_bits_ = 0;  // of paths, not recorded
  uint64_t input_events_ = 0;  // that bring inputs to memory, at most
  std::string last_obstacle_;
  double start_ = 0, end_ = 0;
  std::optional<Deadline> deadline_;
};

}  // namespace heddle::reproduce
