// SPDX-License-Identifier: Apache-2.0
//
// Exploration in pieces that several workers do at once, with a result that does
// not depend on how many they are or who is faster.
//
// The pieces have an order: the one in which a single worker would do them. A
// piece of work has a part that changes nothing but itself (decide what to run,
// run it, think about what happened), which workers do ahead of time, on what
// was known when they began; and a part that is done strictly in order and makes
// it count (pipeline.h). What was known later may show that some of the work
// was not needed or has to be done again; the second part sees to that.
#pragma once

#include <memory>
#include <optional>

#include "base/bytes.h"
#include "check/checkpoint_sections.h"
#include "check/explorer.h"
#include "check/latest_dependences.h"
#include "check/query_solver.h"

namespace heddle::check {

// What a worker has for itself.
struct Bench {
  // What an explorer keeps between pieces of work, to save time only.
  struct Scratch {
    virtual ~Scratch() = default;
  };
  explicit Bench(const Options& options) : solver(options) {}
  QuerySolver solver;
  LatestDependences dependences;
  std::unique_ptr<Scratch> scratch;
};

class Work {
 public:
  virtual ~Work() = default;

  // At any time, by any worker: first begin, then, when what it asks for has been
  // run, study. `execution` is null if nothing was to be run. False: the budget
  // was spent before it was done.
  virtual std::optional<Job> begin(Bench& bench) = 0;
  virtual bool study(Bench& bench, ExecutionRef execution) = 0;

  // In between, when it has been run. True: another execution has become known that
  // will probably do; this one is to be forgotten, and there is nothing to be run.
  virtual bool has_other_run() { return false; }

  // When all work before it counts. False: it went another way than a single worker
  // would have gone; it is to be begun again, and its execution to be forgotten.
  virtual bool still_holds() = 0;
};

class WorkSource {
 public:
  virtual ~WorkSource() = default;

  // The next piece in order; none: there is none as long as nothing more counts.
  virtual std::unique_ptr<Work> take() = 0;
  // The oldest piece that was taken counts from now on. `solver` for questions
  // that are left.
  virtual void commit(Work& work, Bench& bench) = 0;
  // A job that will be asked for later, by its number, unless something stops all before: for who has nothing else to
  // do. By any worker, at any time.
  virtual std::optional<Job> ahead() { return std::nullopt; }
  // Are there jobs that have to be run in one process, all of them (Job::is_in_line)?
  virtual bool has_jobs_in_line() const { return false; }
  // Why the exploration is not complete although nothing is left; empty: it is.
  virtual gaps::Gaps gaps() const = 0;
  // What people should know about the way it went.
  virtual std::vector<std::string> notes() const { return {}; }
  // Instead of what the session counted; none: what it counted is all there is.
  virtual std::optional<Explored> explored() const { return std::nullopt; }
  // What its solver was asked, as far as it counts.
  virtual solve::Statistics solved() const { return {}; }
  // Figures of its own.
  virtual void describe(CheckStatistics&) const {}

  // All that counts, for a checkpoint that is written before anything else counts.
  // False: this kind of exploration cannot be resumed.
  virtual bool save(CheckpointSections&) { return false; }
  // Before anything is taken. The reader fails if it is not what save wrote.
  virtual void restore(base::ByteReader&) {}
};

}  // namespace heddle::check
