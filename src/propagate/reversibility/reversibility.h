// SPDX-License-Identifier: Apache-2.0
//
// Does the program do the same in every run, whatever the schedule? A trace of a
// faulty run may be compared with that of a fault-free run only if all that
// differs is the fault's doing. So we ask of one fault-free trace: can two
// dependent events of different threads happen in the other order, in any order
// of the events that keeps the order within threads, creation, joins, barriers,
// one-time initialisation and the exclusion of locks (TraceSanitizer, IV-C3)? If
// not, every thread learns the same values in every run.
//
//   T0.0: lock m; sum = sum + a; unlock m      Reversible: T0.1 may be first.
//   T0.1: lock m; sum = sum * b; unlock m
//
// Dependent: the same bytes of the same object, in different threads, at least
// one of the two writes; two writes of the same value are not. An object's birth
// and end count as writes of all of it. What reads find does not restrict the
// orders: if a read can find something else, there is a reversed pair before it.
//
// First, vector clocks over what orders events for certain: linear in the trace,
// and the whole answer where no lock is taken. Pairs that remain are a question
// to the order solver. Signals of conditions and posts of semaphores order
// nothing: another one might have come. What makes the answer depend on more than
// the order of accesses (a lock that is only tried, a timed wait, a thread that
// still runs when the program ends, ...) is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "solve/order_problem.h"
#include "trace/trace.h"

namespace heddle::propagate {

// The evidence: events are places in Trace::events.
struct Reversal {
  uint32_t first = 0;   // came first in the run,
  uint32_t second = 0;  // and could come before it
  // All synchronisation of the run and the two, in an order that shows it.
  std::vector<uint32_t> order;
};

struct Reversibility {
  enum class Verdict : uint8_t {
    kFixed,       // no two dependent events can change places
    kReversible,  // these can
    kRefused,     // not decided; reasons say why
  };
  Verdict verdict = Verdict::kRefused;
  std::optional<Reversal> reversal;
  std::vector<std::string> reasons;  // kRefused only; in alphabetical order

  uint64_t shared_accesses = 0;  // to bytes that several threads use and one writes
  uint64_t candidates = 0;       // pairs of stretches of two threads that only locks may keep in order
  uint64_t queries = 0;          // to the solver
};

struct ReversibilityOptions {
  double solver_seconds = 60;
  bool use_z3 = false;  // the reference instead of the native solver
};

// `trace` is a whole, sequentially consistent run that ended with exit; anything
// else is an Error. Of a trace of `heddle trace run --free`, take --unoptimised:
// optimised code makes fewer accesses.
base::Result<Reversibility> check_reversibility(const trace::Trace& trace, const ReversibilityOptions& options = {});

// For people: both places, the object, the values, and the order as far as the
// second of the two.
std::string reversal_text(const trace::Trace& trace, const Reversal& reversal);

}  // namespace heddle::propagate
