// SPDX-License-Identifier: Apache-2.0
#include "report/gap_texts.h"

namespace heddle::report {

GapText gap_text(HeddleGap kind) {
  static constexpr std::string_view kUseOther = "--reduce=learn and --reduce=dpor explore it";
  switch (kind) {
    // Limits that the user set, or could have.
    case HEDDLE_GAP_TIME_LIMIT:
      return {"the time limit was reached", "raise --time-limit, or continue the run with --resume"};
    case HEDDLE_GAP_MEMORY_LIMIT:
      return {"the memory limit was reached{}", "raise --memory-limit, or make the program smaller"};
    case HEDDLE_GAP_EXECUTION_LIMIT:
      return {"the limit of executions was reached", "raise --executions, or continue the run with --resume"};
    case HEDDLE_GAP_INTERRUPTED:
      return {"interrupted before everything was explored", "continue the run with --resume"};
    case HEDDLE_GAP_RUN_CUT_OFF: return {"{}", "raise --limit or --bound-loops, or make the program end sooner"};
    case HEDDLE_GAP_CONTEXT_BOUND:
      return {"executions with more than {} preemptions were not explored", "raise --context-bound"};
    case HEDDLE_GAP_SAMPLED: return {"a search looks at some executions, not at all", "leave out --search"};
    case HEDDLE_GAP_PUBLISHED_RULE:
      return {"the published reduction is known to lose states", "use --reduce=mcr or --reduce=learn"};

    // Limits of the analyses themselves.
    case HEDDLE_GAP_CHOICE_VALUES:
      return {"a choice among more than {} values: the others were not tried",
              "give heddle_nondet_int a smaller range, or the values that matter"};
    case HEDDLE_GAP_SOLVER_GAVE_UP: return {"the solver gave up on a question", "try --reduce=learn"};
    case HEDDLE_GAP_EXECUTION_TOO_LARGE:
      return {"an execution has too many threads or operations to look for others{}",
              "try --reduce=learn, or give the threads less to do"};
    case HEDDLE_GAP_DEADLOCK_ORDERS:
      return {"too many ways in which threads could block each other", "use fewer threads or locks in the test"};
    case HEDDLE_GAP_RELEASE_ORDERS:
      return {"too many orders in which memory could be freed before it is used", "try --reduce=learn"};
    case HEDDLE_GAP_RACE_ORDERS:
      return {"too many orders of accesses that might race", "leave out --races, or give the threads less to do"};
    case HEDDLE_GAP_RACE_NOT_REACHED:
      return {"an execution did not reach a race that was predicted", "try --reduce=learn"};
    case HEDDLE_GAP_LOOP_ROUNDS:
      return {"a loop that seemed to wait for a change was not repeated more often before the change",
              "try --reduce=learn"};
    case HEDDLE_GAP_LOOP_MAY_END:
      return {"threads loop without changing anything; that they never stop is not proved",
              "look at the trace: if the loop counts, let it count less"};
    case HEDDLE_GAP_STATES_EXCEED_MEMORY:
      return {"there are more states than fit into memory", "raise --memory-limit, or use fewer or shorter threads"};
    case HEDDLE_GAP_STEP_UNKNOWN:
      return {"what a thread does next could not be found out by running it", "try --reduce=mcr"};
    case HEDDLE_GAP_REVERSALS_LEFT_OUT: return {"{}", kUseOther};
    case HEDDLE_GAP_AFTER_MISUSE: return {"other orders of an execution after a misuse were not explored", kUseOther};
    case HEDDLE_GAP_NOT_EXPLORED: return {"not modelled: {} (learn and dpor explore that)", kUseOther};
    case HEDDLE_GAP_OBJECT_DISPUTED:
      return {
          "not modelled: use of an object of synchronisation while another thread initialises, destroys or releases "
          "it (learn and dpor explore that)",
          kUseOther};
    case HEDDLE_GAP_MEMORY_COMES_BACK:
      return {"not modelled: which thread gets released memory again (dpor explores that)", "try --reduce=dpor"};
    case HEDDLE_GAP_WAITER_IN_REUSED_MEMORY:
      return {"not modelled: memory that is used again while a thread waits at an object that was there",
              "try --reduce=dpor"};
    case HEDDLE_GAP_LOCAL_DISPUTED:
      return {
          "not modelled: a local variable that another thread may access after its function has returned (learn and "
          "dpor explore that)",
          kUseOther};
    case HEDDLE_GAP_OPTIONS_CUT: return {"more threads could go on at once than are told apart", "use fewer threads"};

    // What the program does, or what happens to it.
    case HEDDLE_GAP_UNSUPPORTED: return {"{}", "docs/explanation/verdicts.md lists what is not supported"};
    case HEDDLE_GAP_NOT_MODELLED:
      return {"not modelled: {}", "docs/explanation/verdicts.md lists what is not modelled"};
    case HEDDLE_GAP_TWO_EXITS:
      return {"not modelled: two threads that both end the program", "join the threads before the program ends"};
    case HEDDLE_GAP_ENVIRONMENT_CHANGED:
      return {"not modelled: a thread that changes the environment while others may ask for it",
              "change the environment before threads are created"};
    case HEDDLE_GAP_LIBRARY_STATE:
      return {"not modelled: calls of several threads that answer from one state of the C library: {}",
              "--reduce=none and --reduce=dpor try every order of these calls"};
    case HEDDLE_GAP_CHOICE_WITHOUT_RANGE:
      return {"{} has no range: only the value 0 was tried",
              "use heddle_nondet_int(lowest, highest), or assume a range"};
    case HEDDLE_GAP_NONDETERMINISTIC:
      return {"{}", "remove what differs from run to run: time, addresses, random numbers, files, other processes"};
    case HEDDLE_GAP_DIVERGED:
      return {"{}", "remove what differs from run to run: time, addresses, random numbers, files, other processes"};
    case HEDDLE_GAP_KILLED: return {"{}", "see whether the machine had too little memory"};
    case HEDDLE_GAP_HANG:
      return {"{}", "raise --hang-seconds if the program computes for so long, or give it the input it waits for"};
    case HEDDLE_GAP_UNCONFIRMED:
      return {"a finding did not happen again when its schedule was run: {}",
              "remove what differs from run to run: time, addresses, random numbers, files, other processes"};
    case HEDDLE_GAP_NOT_RUN_AGAIN:
      return {"a finding could not be run again before the limit was reached: {}", "give it more time or memory"};
    case HEDDLE_GAP_PROPERTY_PARTLY_SEEN: return {"{}", "a finding counts, but its absence shows nothing"};

    // Of predictions.
    case HEDDLE_GAP_RUN_FAILED: return {"the run itself failed: heddle check says how", "mend that first"};
    case HEDDLE_GAP_TRACE_DAMAGED: return {"{}", "record the trace again"};
    case HEDDLE_GAP_TRACE_WITHOUT_PROGRAM:
      return {"a trace does not tell what the program computes: predicted as by --model=mcm", "give the program"};
    case HEDDLE_GAP_RUN_TOO_LONG_FOR_VALUES:
      return {"the run is too long to follow what it computes: predicted as by --model=mcm",
              "give the program less to do"};
    case HEDDLE_GAP_RUN_DIFFERED:
      return {"the run was not the same when it was recorded: predicted as by --model=mcm",
              "remove what differs from run to run"};
    case HEDDLE_GAP_VALUE_QUESTIONS:
      return {"some questions about values were too large or took too long", "a smaller --window may help"};
    case HEDDLE_GAP_VALUES_UNSEEN:
      return {"memory changed and nobody saw who did it: no other values are looked for",
              "build the code that writes there with heddle cc"};
    case HEDDLE_GAP_SIDES_NOT_FOLLOWED: return {"branches that were not taken are followed up to {}", ""};
    case HEDDLE_GAP_PATH_NOT_FOLLOWED: return {"not followed to its end: {}", ""};
    case HEDDLE_GAP_WINDOW_TOO_LARGE:
      return {"a window has too many accesses to the same places", "a smaller --window may help"};
    case HEDDLE_GAP_PARTS_ONLY:
      return {"the run was looked at in windows of {} events: what lies further apart was not compared",
              "--window=all looks at the whole run"};
    case HEDDLE_GAP_TRACE_TOO_LONG:
      return {"the run is too large to look for deadlocks and uses after free", "give the program less to do"};
    case HEDDLE_GAP_RELEASES_IN_WHOLE_TRACE:
      return {"{} are looked for in the whole trace only", "--window=all looks at the whole trace"};
    case HEDDLE_GAP_ACCESS_PAIRS:
      return {"some pairs of places have too many accesses to ask about all", "a smaller --window may help"};
    case HEDDLE_GAP_INTERFERENCE_PAIRS:
      return {"some places have too many accesses to ask about all that could come between",
              "a smaller --window may help"};
    case HEDDLE_GAP_ANSWERS_LEFT_OUT:
      return {"some questions had too many answers to try", "a smaller --window may help"};
    case HEDDLE_GAP_FAILURE_TIMES:
      return {"some places come too often to ask about all times whether they fail", "give the program less to do"};
    case HEDDLE_GAP_WITNESS_REFUSED: return {"an order did not hold on the trace: {}", "please report this"};
    case HEDDLE_GAP_NO_ORDER_STOOD:
      return {"of some pairs of places no order that was tried stood: others are not looked for",
              "heddle check explores all orders"};
    case HEDDLE_GAP_PREDICTED_DEADLOCKS: return {"too many ways in which threads could block each other", ""};
    case HEDDLE_GAP_PREDICTED_CYCLES: return {"too many ways in which threads could wait for each other", ""};
    case HEDDLE_GAP_PREDICTED_RELEASES: return {"too many orders in which memory could be freed before it is used", ""};
    case HEDDLE_GAP_PREDICTION_STOPPED: return {"the prediction ended before everything was looked at", ""};

    // Of recordings, reproductions and campaigns of faults.
    case HEDDLE_GAP_NOT_RECORDED:
      return {"the program could not map the file of its recording", "heddle doctor says what is missing"};
    case HEDDLE_GAP_DISK_FULL: return {"{}", "make room, or keep less with --keep-last"};
    case HEDDLE_GAP_RECORDING_INCOMPLETE: return {"{}", "record again"};
    case HEDDLE_GAP_INPUTS_NOT_GIVEN:
      return {"controlled runs cannot be told what these functions brought into the recorded run: {}",
              "give the program the same files and input"};
    case HEDDLE_GAP_INPUTS_DROPPED:
      return {
          "what calls brought into the recorded run was dropped (of {}), and controlled runs asked the outside instead",
          "give the program the same files and input, or record again with a larger --keep-last"};
    case HEDDLE_GAP_BEGINNING_DROPPED:
      return {
          "the first branches were dropped ({}), and no controlled run came from its beginning to what was kept in a "
          "way that leads to the failure",
          "record again with a larger --keep-last"};
    case HEDDLE_GAP_BEGINNING_MISSING:
      return {"threads that code without bitcode started were seen too late, and nobody knows what they had done ({})",
              "build that code with heddle cc"};
    case HEDDLE_GAP_NOT_EXPLAINED: return {"{}", ""};
    case HEDDLE_GAP_NOT_CONFIRMED:
      return {"the schedule was found, but did not lead to the failure in a fresh process",
              "remove what differs from run to run"};
    case HEDDLE_GAP_REPRODUCTION_STOPPED: return {"interrupted when {} recorded branches were known", ""};
    case HEDDLE_GAP_REVERSIBLE: return {"{}", "--assume-deterministic injects all the same"};
    case HEDDLE_GAP_REVERSIBILITY_UNKNOWN: return {"{}", "--assume-deterministic injects all the same"};
    case HEDDLE_GAP_RUNS_DIFFER: return {"{}", "remove what differs from run to run"};
    case HEDDLE_GAP_CAMPAIGN_INTERRUPTED: return {"the campaign was interrupted", "--resume goes on"};
    case HEDDLE_GAP_CAMPAIGN_TIME: return {"the time limit was reached", "--resume goes on"};
  }
  return {"{}", ""};
}

Reason reason_of(const gaps::Gap& gap) {
  const GapText known = gap_text(gap.kind);
  std::string text(known.text);
  if (const size_t hole = text.find("{}"); hole != std::string::npos) text.replace(hole, 2, gap.detail);
  return {gap.code(), std::move(text), std::string(known.help)};
}

std::vector<Reason> reasons_of(const gaps::Gaps& gaps) {
  std::vector<Reason> reasons;
  for (const gaps::Gap& gap : gaps) reasons.push_back(reason_of(gap));
  return reasons;
}

std::vector<HeddleGap> all_gaps() {
#define HEDDLE_LIST(NAME, NUMBER, CODE) HEDDLE_GAP_##NAME,
  return {HEDDLE_GAPS(HEDDLE_LIST)};
#undef HEDDLE_LIST
}

}  // namespace heddle::report
