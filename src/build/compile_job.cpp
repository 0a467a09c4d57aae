// SPDX-License-Identifier: Apache-2.0
#include "build/compile_job.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "base/files.h"
#include "build/job_files.h"
#include "program/elf_file.h"
#include "program/frame.h"
#include "program/records.h"

namespace heddle::build {
namespace {

using base::Result;
using Words = std::vector<std::string>;

// Passes look at uses in their order in memory; with that order kept in the
// files between the steps, the code is the same as from one step.
constexpr const char* kKeepUseLists = "-emit-llvm-uselists";

void replace(Words& words, const std::string& from, const std::string& to) {
  std::replace(words.begin(), words.end(), from, to);
}

void remove(Words& words, std::initializer_list<const char*> flags) {
  std::erase_if(words,
                [&](const std::string& word) { return std::find(flags.begin(), flags.end(), word) != flags.end(); });
}

void remove_with_value(Words& words, std::initializer_list<const char*> options) {
  for (const char* option : options)
    for (auto at = std::find(words.begin(), words.end(), option); at != words.end() && at + 1 != words.end();
         at = std::find(words.begin(), words.end(), option))
      words.erase(at, at + 2);
}

// The input is the last word and its language the one after -x before it.
void set_input(Words& words, const std::string& language, const std::string& path) {
  words[words.size() - 2] = language;
  words[words.size() - 1] = path;
}

void add_before_input(Words& words, const Words& more) { words.insert(words.end() - 3, more.begin(), more.end()); }

void set_output(Words& words, const std::string& path) {
  remove_with_value(words, {"-o"});
  add_before_input(words, {"-o", path});
}

// Line tables alone do not name variables.
void ask_for_debug_info(Words& words) {
  const auto starts = [&](const char* start) {
    return std::find_if(words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(start); });
  };
  if (const auto kind = starts("-debug-info-kind="); kind == words.end())
    add_before_input(words, {"-debug-info-kind=constructor"});
  else if (kind->starts_with("-debug-info-kind=line-"))
    *kind = "-debug-info-kind=constructor";
  if (starts("-dwarf-version=") == words.end()) add_before_input(words, {"-dwarf-version=5"});
}

// What belongs to reading a source has been done by the frontend.
void drop_source_options(Words& words) {
  remove_with_value(words, {"-dependency-file", "-MT", "-MQ", "-dependency-dot", "-serialize-diagnostic-file",
                            "-header-include-file", "-include", "-include-pch", "-imacros"});
  remove(words, {"-MP", "-MG", "-sys-header-deps", "-module-file-deps", "-show-includes", "-H", "-v"});
}

}  // namespace

CompileSteps compile_steps(const Job& job, const std::string& unoptimised, const std::string& optimised,
                           const std::string& object) {
  CompileSteps steps{job.command, job.command, job.command};
  Words& frontend = steps.frontend;
  replace(frontend, "-emit-obj", "-emit-llvm-bc");
  remove_with_value(frontend, {"-opt-record-file"});
  add_before_input(frontend, {"-disable-llvm-passes", "-disable-O0-optnone", kKeepUseLists});
  ask_for_debug_info(frontend);
  set_output(frontend, unoptimised);

  Words& optimise = steps.optimise;
  replace(optimise, "-emit-obj", "-emit-llvm-bc");
  add_before_input(optimise, {kKeepUseLists});
  drop_source_options(optimise);
  set_input(optimise, "ir", unoptimised);
  set_output(optimise, optimised);

  Words& generate = steps.generate;
  drop_source_options(generate);
  remove_with_value(generate, {"-opt-record-file"});
  add_before_input(generate, {"-disable-llvm-passes"});
  set_input(generate, "ir", optimised);
  set_output(generate, object);
  return steps;
}

Result<int> run_compile_job(const Job& job, const std::string& directory) {
  const std::string unoptimised = directory + "/unoptimised.bc";
  const std::string optimised = directory + "/optimised.bc";
  const std::string object = directory + "/code.o";
  const CompileSteps steps = compile_steps(job, unoptimised, optimised, object);
  for (const Words* step : {&steps.frontend, &steps.optimise, &steps.generate}) {
    Result<base::ProcessOutput> ran = run_job_command(*step, directory, {});
    if (!ran) return ran.error();
    if (ran->exit_code != 0) return ran->exit_code;
    // The user asked the frontend for something else (-Xclang -ast-dump).
    if (step == &steps.frontend && !std::filesystem::exists(unoptimised)) return 0;
  }

  program::ModulePart part{job.command.back(), job.value_of("-triple"), "", ""};
  Result<std::string> bytes = base::read_file(unoptimised);
  if (!bytes) return bytes.error();
  part.unoptimised = std::move(*bytes);
  bytes = base::read_file(optimised);
  if (!bytes) return bytes.error();
  part.optimised = std::move(*bytes);
  bytes = base::read_file(object);
  if (!bytes) return bytes.error();
  Result<program::ElfFile> file = program::ElfFile::parse(std::move(*bytes), object);
  if (!file) return file.error();
  Result<std::string> whole = program::append_section(*file, program::kBitcodeSection, program::encode_module(part));
  if (!whole) return whole.error();
  if (Result<void> written = write_output(job.value_of("-o"), *whole); !written) return written.error();
  return 0;
}

}  // namespace heddle::build
