// SPDX-License-Identifier: Apache-2.0
//
// Running a target under control, again and again.
//
//   auto executor = Executor::start(target, options);
//   auto run = (*executor)->run(request);      // one run
//   (*executor)->run_batch(requests, visit);   // many, cheaply
//
// An Executor owns one target process at a time (its server, see
// src/abi/channel.h). When the process dies, or hangs and is killed, that is
// the answer to the request it was working on, and the next request gets a new
// process. Not safe for use by two threads at once; use one Executor each.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abi/channel.h"
#include "base/result.h"
#include "program/site_dependence.h"
#include "schedule/memory_model.h"
#include "schedule/schedule.h"
#include "trace/trace.h"

namespace heddle::execute {

enum class Isolation { kAutomatic, kInProcess, kFork, kFresh };
enum class Carrier { kFiber, kThread };
// kFresh: no address is used twice. kReuse: an allocation gets the block of its
// size that was released last, by whatever thread.
enum class Heap { kFresh, kReuse };

// What is to be run; filled from build::Target. Copies are cheap: they share the
// tables, which may be large.
struct Subject {
  std::string executable;
  std::string program_name;
  std::string module_hash;
  std::shared_ptr<const std::vector<trace::Site>> sites = std::make_shared<std::vector<trace::Site>>();
  std::shared_ptr<const std::vector<trace::Global>> globals = std::make_shared<std::vector<trace::Global>>();
  std::vector<std::string> unknown_functions;
  std::vector<std::string> outside_functions;
  std::vector<std::string> arguments;                         // of the program, without its name
  std::shared_ptr<const program::SiteDependence> dependence;  // null: not known
};

struct ExecutorOptions {
  Isolation isolation = Isolation::kAutomatic;
  Carrier carrier = Carrier::kFiber;
  Heap heap = Heap::kFresh;
  int output = -1;           // file descriptor that gets the program's standard output; -1: dropped
  int errors = -1;           // likewise, standard error
  bool takes_input = true;   // the program reads our standard input; false: it finds it empty
  double hang_seconds = 10;  // without any event
  uint32_t ring_records = 1u << 16;
  // Called with each record of a run, and its place in Run::records, as soon as it is there.
  std::function<void(size_t place, const HeddleRecord&)> watch;
  // A command that runs its last arguments (the target and its arguments) as a
  // child of its own, on the terminal: a debugger. Empty: none. Nothing ends it
  // but its user, so one run takes as long as that.
  std::vector<std::string> debugger;
  const std::atomic<bool>* interrupted = nullptr;  // when it becomes true, the run ends where it is, as killed
};

// How runs are kept apart, and why so.
struct IsolationChoice {
  Isolation isolation = Isolation::kInProcess;
  std::string reason;
};
IsolationChoice choose_isolation(const Subject& subject, const ExecutorOptions& options);

struct RunRequest {
  const schedule::Schedule* prefix = nullptr;                 // may be null: none
  schedule::MemoryModel memory = schedule::MemoryModel::kSc;  // of a run without prefix; a prefix brings its own
  HeddleStrategy strategy = HEDDLE_STRATEGY_DEFAULT;
  uint64_t seed = 0;
  uint64_t event_limit = 0;
  uint32_t idle_limit = 0;  // operations that change nothing before a run counts as a livelock; 0: the runtime's own
  uint32_t pct_changes = 3;
  uint32_t pct_length = 1000;
  bool allow_timeouts = true;
  bool allow_spurious = false;
  // A thread that fails stays where it is and the others go on as far as they
  // can; the ending tells of the first failure, the trace of all. Return from
  // main and exit wait until nobody else can go on, unless a step names them.
  // WAITING records say what each thread would do next.
  bool go_on = false;
  // What a thread reads from clocks depends on its own operations only.
  bool local_time = false;
  // Stores say what memory held before them (HEDDLE_FLAG_REPLACED).
  bool replaced = false;
  // Loops that provably only wait are blocked until something changes
  // (runtime/pure_waits.h); a livelock whose detail is 0 is then a proof.
  bool pure_waits = false;
  // A loop that reads the same values goes on for some dozen rounds before others go first, even if it yields: long
  // enough for waits that look at a word for a while before they sleep.
  bool is_patient = false;
  // Before looks, hashes of what the thread knows are recorded (HEDDLE_STATE); needs pure_waits.
  bool tells_states = false;
  // A thread that comes to the same place more often than that stays there, and
  // the run ends as HEDDLE_OUTCOME_BOUND; 0: none. Needs go_on.
  uint32_t loop_bound = 0;
  // The thread that ends the run stops there, in the debugger of the options.
  bool trap = false;
  // After the last step of the prefix the run says what else could have
  // happened (Run::options), and what is avoided is put off (abi/channel.h).
  bool lists_options = false;
  const std::vector<schedule::Step>* avoided = nullptr;
  // After the prefix, the thread of each of these goes no further than to this operation of it while somebody else can
  // go on that has not come to his: so they come there together. Not with the strategy RANDOM.
  const std::vector<schedule::Step>* holds = nullptr;

  schedule::MemoryModel memory_model() const { return prefix ? prefix->memory_model : memory; }
  // Then local_time and pure_waits hold whatever they say.
  bool has_check_rules() const { return prefix && prefix->check_rules; }
};

// The records of one run as the target sent them; cheap, nothing is copied twice.
struct Run {
  std::vector<HeddleRecord> records;                     // visible and other events, in order
  std::vector<std::pair<size_t, HeddleRecord>> options;  // OPTION frames, each with the number of records before it
  std::vector<trace::Thread> threads;
  trace::Ending ending;
};

class Executor {
 public:
  static base::Result<std::unique_ptr<Executor>> start(const Subject& subject, const ExecutorOptions& options);
  ~Executor();

  base::Result<Run> run(const RunRequest& request);

  // `visit(number, run)` is called once for each request, in order; after an
  // interruption for no more of them.
  base::Result<void> run_batch(std::span<const RunRequest> requests, const std::function<void(size_t, Run&)>& visit);

  // The run as a trace, with the subject's sites and globals.
  trace::Trace to_trace(const Run& run, const RunRequest& request) const;

  const IsolationChoice& isolation() const;
  uint64_t processes_started() const;

 private:
  struct State;
  explicit Executor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::execute
