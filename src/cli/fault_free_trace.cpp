// SPDX-License-Identifier: Apache-2.0
#include "cli/fault_free_trace.h"

#include <fmt/format.h>

#include <chrono>

#include "cli/program_options.h"
#include "cli/program_view.h"
#include "execute/free_run.h"
#include "program/nondeterminism.h"
#include "propagate/reversibility/reversibility.h"
#include "trace/reader.h"

namespace heddle::cli {

base::Result<Comparable> check_comparable(const ComparisonOptions& options, const std::vector<std::string>& arguments,
                                          const std::string& directory, const std::atomic<bool>& interrupted) {
  ProgramOptions program;
  program.inputs = options.inputs;
  program.cflags = options.cflags;
  program.unoptimised = true;
  auto subject = prepare_subject(program, arguments, true);
  if (!subject) return subject.error();
  execute::FreeRunOptions how;
  how.interrupted = &interrupted;
  const std::string path = directory + "/fault-free.trace";
  if (auto done = execute::run_freely(*subject, how, path); !done) return done.error();
  if (interrupted) return base::Error{"interrupted", ""};
  auto trace = trace::read_trace(path);
  if (!trace) return trace.error();
  const auto begin = std::chrono::steady_clock::now();
  auto judged = propagate::check_reversibility(*trace);
  if (!judged) return judged.error();
  Comparable result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  switch (judged->verdict) {
    case propagate::Reversibility::Verdict::kFixed: break;
    case propagate::Reversibility::Verdict::kReversible:
      result.gap = HEDDLE_GAP_REVERSIBLE;
      result.text =
          "what its threads do depends on their timing\n" + propagate::reversal_text(*trace, *judged->reversal);
      break;
    case propagate::Reversibility::Verdict::kRefused:
      result.gap = HEDDLE_GAP_REVERSIBILITY_UNKNOWN;
      result.text = fmt::format("whether its threads do the same in every run is not decided: {}",
                                fmt::join(judged->reasons, "; "));
      break;
  }
  return result;
}

std::vector<std::string> nondeterminism_notes(const ComparisonOptions& options) {
  ViewOptions what;
  what.inputs = options.inputs;
  what.cflags = options.cflags;
  auto program = take_in(what);
  std::vector<std::string> notes;
  if (!program) return notes;
  for (const program::NondeterministicPlace& place : program::find_nondeterminism(*program)) {
    notes.push_back("this may differ from run to run: " + place.text());
  }
  return notes;
}

}  // namespace heddle::cli
