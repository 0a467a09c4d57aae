/* SPDX-License-Identifier: Apache-2.0
 *
 * Gaps: everything that keeps an answer from covering all executions.
 *
 * A limit that was reached, a question given up, an operation that nothing
 * models, a change of memory that nobody saw. An analysis that meets one raises
 * it (src/gaps/gap.h), and a verdict that covers everything can only be made
 * from no gaps at all.
 *
 *   GAP(NAME, number, "code")    HEDDLE_GAP_NAME; the code in result.json
 *
 * src/report/gap_texts.cpp says for each what it means and what helps; a gap
 * without a text does not compile. Numbers are in traces and checkpoints, codes
 * in result.json: neither is ever given another meaning. Several gaps may share
 * a code.
 */
#ifndef HEDDLE_ABI_GAP_H
#define HEDDLE_ABI_GAP_H

#include <stdint.h>

/* clang-format off */
#define HEDDLE_GAPS(GAP) \
  /* Limits that the user set, or could have. */ \
  GAP(TIME_LIMIT,                1,   "time") \
  GAP(MEMORY_LIMIT,              2,   "memory") \
  GAP(EXECUTION_LIMIT,           3,   "executions") \
  GAP(INTERRUPTED,               4,   "interrupted") \
  GAP(RUN_CUT_OFF,               5,   "bound") \
  GAP(CONTEXT_BOUND,             6,   "context-bound") \
  GAP(SAMPLED,                   7,   "search") \
  GAP(PUBLISHED_RULE,            8,   "incomplete-reduction") \
  /* Limits of the analyses themselves. */ \
  GAP(CHOICE_VALUES,             20,  "choice-values") \
  GAP(SOLVER_GAVE_UP,            21,  "solver") \
  GAP(EXECUTION_TOO_LARGE,       22,  "size") \
  GAP(DEADLOCK_ORDERS,           23,  "deadlocks") \
  GAP(RELEASE_ORDERS,            24,  "use-after-free") \
  GAP(RACE_ORDERS,               25,  "races") \
  GAP(RACE_NOT_REACHED,          26,  "races") \
  GAP(LOOP_ROUNDS,               27,  "loop-rounds") \
  GAP(LOOP_MAY_END,              28,  "bound") \
  GAP(STATES_EXCEED_MEMORY,      29,  "memory") \
  GAP(STEP_UNKNOWN,              30,  "step-unknown") \
  GAP(REVERSALS_LEFT_OUT,        31,  "not-covered") \
  GAP(AFTER_MISUSE,              32,  "not-covered") \
  GAP(NOT_EXPLORED,              33,  "not-modelled") \
  GAP(OBJECT_DISPUTED,           34,  "not-modelled") \
  GAP(MEMORY_COMES_BACK,         35,  "not-modelled") \
  GAP(WAITER_IN_REUSED_MEMORY,   36,  "not-modelled") \
  GAP(OPTIONS_CUT,               37,  "threads") \
  GAP(LOCAL_DISPUTED,            38,  "not-modelled") \
  /* What the program does, or what happens to it. */ \
  GAP(UNSUPPORTED,               50,  "unsupported") \
  GAP(NOT_MODELLED,              51,  "not-modelled") \
  GAP(TWO_EXITS,                 52,  "not-modelled") \
  GAP(ENVIRONMENT_CHANGED,       53,  "not-modelled") \
  GAP(LIBRARY_STATE,             54,  "not-modelled") \
  GAP(CHOICE_WITHOUT_RANGE,      55,  "choice-without-range") \
  GAP(NONDETERMINISTIC,          56,  "nondeterministic") \
  GAP(DIVERGED,                  57,  "diverged") \
  GAP(KILLED,                    58,  "killed") \
  GAP(HANG,                      59,  "hang") \
  GAP(UNCONFIRMED,               60,  "unconfirmed") \
  GAP(PROPERTY_PARTLY_SEEN,      61,  "property") \
  GAP(NOT_RUN_AGAIN,             62,  "unconfirmed") \
  /* Of predictions. */ \
  GAP(RUN_FAILED,                80,  "failed-run") \
  GAP(TRACE_DAMAGED,             81,  "damage") \
  GAP(TRACE_WITHOUT_PROGRAM,     82,  "recipe") \
  GAP(RUN_TOO_LONG_FOR_VALUES,   83,  "recipe") \
  GAP(RUN_DIFFERED,              84,  "recipe") \
  GAP(VALUE_QUESTIONS,           85,  "recipe") \
  GAP(VALUES_UNSEEN,             86,  "recipe") \
  GAP(SIDES_NOT_FOLLOWED,        87,  "sides") \
  GAP(PATH_NOT_FOLLOWED,         88,  "walk") \
  GAP(WINDOW_TOO_LARGE,          89,  "size") \
  GAP(PARTS_ONLY,                90,  "window") \
  GAP(TRACE_TOO_LONG,            91,  "size") \
  GAP(RELEASES_IN_WHOLE_TRACE,   92,  "size") \
  GAP(ACCESS_PAIRS,              93,  "pairs") \
  GAP(INTERFERENCE_PAIRS,        94,  "atomicity") \
  GAP(ANSWERS_LEFT_OUT,          95,  "orders") \
  GAP(FAILURE_TIMES,             96,  "places") \
  GAP(WITNESS_REFUSED,           97,  "witness") \
  GAP(NO_ORDER_STOOD,            98,  "refused") \
  GAP(PREDICTED_DEADLOCKS,       99,  "deadlocks") \
  GAP(PREDICTED_CYCLES,          100, "deadlocks") \
  GAP(PREDICTED_RELEASES,        101, "use-after-free") \
  GAP(PREDICTION_STOPPED,        102, "stopped") \
  /* Of recordings, reproductions and campaigns of faults. */ \
  GAP(NOT_RECORDED,              120, "not-recorded") \
  GAP(DISK_FULL,                 121, "disk") \
  GAP(RECORDING_INCOMPLETE,      122, "incomplete") \
  GAP(INPUTS_NOT_GIVEN,          123, "inputs-not-given") \
  GAP(INPUTS_DROPPED,            124, "inputs-dropped") \
  GAP(BEGINNING_DROPPED,         125, "beginning-dropped") \
  GAP(BEGINNING_MISSING,         126, "beginning-missing") \
  GAP(NOT_EXPLAINED,             127, "not-explained") \
  GAP(NOT_CONFIRMED,             128, "not-confirmed") \
  GAP(REPRODUCTION_STOPPED,      129, "interrupted") \
  GAP(REVERSIBLE,                130, "reversible") \
  GAP(REVERSIBILITY_UNKNOWN,     131, "undecided") \
  GAP(RUNS_DIFFER,               132, "nondeterministic") \
  GAP(CAMPAIGN_INTERRUPTED,      133, "interrupted") \
  GAP(CAMPAIGN_TIME,             134, "time-limit")
/* clang-format on */

#define HEDDLE_GAP_ENUMERATOR(NAME, NUMBER, CODE) HEDDLE_GAP_##NAME = NUMBER,
typedef enum HeddleGap { HEDDLE_GAPS(HEDDLE_GAP_ENUMERATOR) } HeddleGap;
#undef HEDDLE_GAP_ENUMERATOR

/* The code in result.json; empty for a number that is no gap. */
#define HEDDLE_GAP_CODE(NAME, NUMBER, CODE) \
  case NUMBER: return CODE;
static inline const char* heddle_gap_code(uint64_t number) {
  switch (number) {
    HEDDLE_GAPS(HEDDLE_GAP_CODE)
    default: return "";
  }
}
#undef HEDDLE_GAP_CODE

#endif
