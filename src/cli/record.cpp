// SPDX-License-Identifier: Apache-2.0
//
// heddle record: run a program at production speed and keep the way its threads went; when it
// fails, the recording stays.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

#include "base/files.h"
#include "build/numbered_program.h"
#include "build/recorded_reads.h"
#include "build/recording_target.h"
#include "build/sources.h"
#include "build/switch_numbers.h"
#include "cli/commands.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "execute/subject.h"
#include "record/pt/perf.h"
#include "record/recorder.h"
#include "record/simulation.h"
#include "report/record_report.h"
#include "report/run_directory.h"

namespace heddle::cli {
namespace {

constexpr int kOwnFailure = 125;  // every other code is the program's

struct Choices {
  std::vector<std::string> inputs, cflags;
  std::string show, simulated;  // simulated: memory model of a controlled run
  uint64_t seed = 0;
  uint64_t keep_last = 0;
  double timeout = 0;
  bool keep = false, without_cores = false, processor_trace = false, stamps = false, values = false;
};

int fail(const base::Error& error) {
  report(error);
  return kOwnFailure;
}

base::Result<program::WholeProgram> take_in(const Choices& choices) {
  build::IntakeOptions intake_options;
  intake_options.optimised = true;
  intake_options.cflags.push_back("-O2");  // for sources; a program has been compiled already
  for (const std::string& text : choices.cflags) {
    std::istringstream words(text);
    for (std::string word; words >> word;) intake_options.cflags.push_back(word);
  }
  return build::intake(choices.inputs, intake_options);
}

base::Result<build::Target> prepare(const Choices& choices) {
  auto program = take_in(choices);
  if (!program) return program.error();
  if (!choices.simulated.empty()) {
    build::TargetOptions options;
    options.branches = true;
    return build::make_target(std::move(*program), options);
  }
  build::RecordingTargetOptions options;
  options.marks_cores = !choices.without_cores && !choices.processor_trace;
  options.marks_ways = choices.processor_trace;
  options.keeps_values = choices.values;
  return build::make_recording_target(std::move(*program), options);
}

int show(const std::string& run) {
  std::error_code missing;
  std::string path = run;
  if (!std::filesystem::exists(run, missing)) {
    auto found = report::find_run(run);
    if (!found) return fail(found.error());
    path = *found;
  }
  auto recording = record::read_recording(path);
  if (!recording) return fail(recording.error());
  say_text(report::recording_text(*recording));
  return 0;
}

base::Result<record::RecordedRun> simulate(const Choices& choices, const ProgramArguments& arguments,
                                           const build::Target& target, const std::string& file) {
  auto program = take_in(choices);
  if (!program) return program.error();
  auto numbered = build::number_program(*program, false);
  if (!numbered) return numbered.error();
  record::SimulationOptions options;
  options.file = file;
  options.inputs = choices.inputs;
  options.cflags = choices.cflags;
  options.memory = *schedule::find_memory_model(choices.simulated);
  options.seed = choices.seed;
  if (choices.values) options.reads = build::recorded_reads(*numbered);
  return record::simulate_recording(execute::subject_of(target, arguments), build::switch_numbers(*numbered), options);
}

int run(const Choices& choices, const ProgramArguments& arguments) {
  if (!choices.show.empty()) return show(choices.show);
  std::string perf;
  if (choices.processor_trace) {
    auto found = record::pt::find_perf();
    if (!found) return fail(found.error());
    perf = *found;
  }
  auto target = prepare(choices);
  if (!target) return fail(target.error());
  auto directory = report::make_run_directory("record");
  if (!directory) return fail(directory.error());
  record::RecorderOptions options;
  options.file = *directory + "/recording";
  options.name = choices.inputs.size() == 1 ? choices.inputs.front() : target->program_name;
  options.inputs = choices.inputs;
  options.cflags = choices.cflags;
  options.arguments = arguments;
  options.keep_last = choices.keep_last;
  options.timeout_seconds = choices.timeout;
  options.marks_cores = !choices.without_cores && !choices.processor_trace;
  options.stamps = choices.stamps;
  options.values = choices.values;
  options.perf = perf;
  auto ran = choices.simulated.empty() ? record::record_program(*target, options)
                                       : simulate(choices, arguments, *target, options.file);
  if (!ran) return fail(ran.error());
  if (!ran->without_paths.empty()) report({"the recording has no paths: " + ran->without_paths, ""});

  report::RecordReport told;
  told.facts.name = target->program_name;
  told.facts.hash = target->module_hash;
  told.facts.invocation = {choices.inputs, choices.cflags, arguments, "fresh"};
  told.run = *ran;
  told.sites = &target->sites;
  told.directory = *directory;
  if (choices.keep_last) told.facts.options["keep-last"] = std::to_string(choices.keep_last);
  if (!choices.simulated.empty())
    told.facts.options.insert({{"simulate", choices.simulated}, {"seed", std::to_string(choices.seed)}});
  if (choices.stamps) told.facts.options["stamps"] = "yes";
  if (choices.values) told.facts.options["values"] = "yes";
  if (choices.timeout > 0) told.facts.options["timeout"] = fmt::format("{}", choices.timeout);
  const int code = ran->ending == record::Ending::kExited ? ran->status : 128 + ran->status;
  record::Recording recording;
  if (ran->was_recorded && (choices.keep || report::is_failure(*ran))) {
    auto read = record::read_recording(options.file);
    if (!read) {
      report(read.error());
      return code;
    }
    recording = std::move(*read);
    told.recording = &recording;
  } else {
    std::error_code stays;
    std::filesystem::remove(options.file, stays);
  }
  tell("{}", report::record_text(told));
  if (auto written = base::write_file(*directory + "/result.json", report::record_json(told)); !written)
    report(written.error());
  return code;
}

}  // namespace

void add_record_command(CLI::App& app, Action& action, const ProgramArguments& arguments) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command =
      app.add_subcommand("record", "run a program at production speed; when it fails, keep the way its threads went");
  command
      ->add_option("program", choices->inputs,
                   "program built with heddle cc, or sources (.c .cc .cpp), .bc, .ll, .o, .a")
      ->type_name("PROG|SRC");
  command
      ->add_option("--cflags", choices->cflags,
                   "compiler flags for sources, after -O2, as one string; may be given again")
      ->allow_extra_args(false)
      ->type_name("'FLAGS'");
  command
      ->add_option("--keep-last", choices->keep_last,
                   "keep only the last so many bytes (suffix K, M or G), and at most 256 KB a thread more")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command->add_option("--timeout", choices->timeout, "kill the program after so long, as one that hangs")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS");
  command->add_flag("--keep", choices->keep, "keep the recording also of a run that did not fail");
  command->add_flag("--no-cores", choices->without_cores, "do not note on which core threads run: a little cheaper");
  CLI::Option* stamps = command->add_flag(
      "--stamps", choices->stamps, "threads note the time now and then: heddle reproduce has less to choose from");
  CLI::Option* values = command->add_flag("--values", choices->values,
                                          "threads keep a check of every value that they read from shared memory: "
                                          "heddle reproduce finds races that leave no trace in paths");
  command
      ->add_flag("--pt", choices->processor_trace,
                 "have the processor write down the paths (Intel PT, with perf); heddle doctor says whether it can")
      ->excludes(stamps)
      ->excludes(values);
  CLI::Option* simulate =
      command
          ->add_option(
              "--simulate", choices->simulated,
              "run the program under control, by chance, as a machine with this memory model might: sc, tso or pso")
          ->check(CLI::IsMember({"sc", "tso", "pso"}))
          ->type_name("MODEL");
  command->add_option("--seed", choices->seed, "of the simulated run")->needs(simulate)->type_name("N");
  for (const char* free_only : {"--pt", "--keep-last", "--timeout", "--no-cores", "--stamps"})
    simulate->excludes(free_only);
  command->add_option("--show", choices->show, "print a recording: its number, directory or file")
      ->type_name("RUN|FILE");
  set_help(*command,
           {{{"heddle record prog -- 3 fast", "3 and fast are arguments of prog"},
             {"heddle record --keep-last=64M prog", "only the end of a long run"},
             {"heddle record --simulate=pso --seed=3 --keep prog", "as a machine with weak memory might have run it"},
             {"heddle record --show 1", "what run 1 has recorded"}},
            "",
            "that of the program, 128 + N when signal N ended it; 125 when it could not be recorded"});
  command->callback([choices, &action, &arguments] {
    if (choices->inputs.empty() && choices->show.empty()) throw CLI::RequiredError("program");
    action = [choices, &arguments] { return run(*choices, arguments); };
  });
}

}  // namespace heddle::cli
