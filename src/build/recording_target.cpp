// SPDX-License-Identifier: Apache-2.0
#include "build/recording_target.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <filesystem>

#include "abi/recording.h"
#include "abi/version.h"
#include "base/files.h"
#include "base/process.h"
#include "build/generate_code.h"
#include "build/link_target.h"
#include "build/models.h"
#include "build/runtime_library.h"
#include "build/target_cache.h"
#include "build/target_map.h"
#include "pass/global_objects.h"
#include "pass/recording.h"
#include "program/whole_program_llvm.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

base::Result<void> fill(program::WholeProgram& program, const RecordingTargetOptions& wanted,
                        const std::string& runtime, const std::string& directory, Target& target) {
  if (auto prepared = prepare_module(program.module(), runtime); !prepared) return prepared.error();
  const std::vector<pass::GlobalObject> objects = pass::global_objects(program.module());
  pass::RecordingOptions options;
  options.marks_cores = wanted.marks_cores;
  options.marks_ways = wanted.marks_ways;
  options.keeps_values = wanted.keeps_values;
  auto recorded = pass::instrument_for_recording(program.module(), options);
  if (!recorded) return recorded.error();
  const std::string object = directory + "/program.o", executable = directory + "/target";
  if (auto made = generate_object(program.module(), object, /*fast=*/true); !made) return made.error();
  if (auto linked = link_target(program, runtime, object, directory, executable); !linked) return linked.error();
  auto globals = locate_globals(executable, objects);
  if (!globals) return globals.error();
  fs::remove(object);
  target.sites = site_table(recorded->places);
  target.globals = std::move(*globals);
  target.unknown_functions = recorded->unknown_functions;
  target.executable_bytes = fs::file_size(executable);
  return base::write_file(directory + "/map", write_map(target));
}

}  // namespace

base::Result<Target> make_recording_target(program::WholeProgram program, const RecordingTargetOptions& options) {
  auto runtime = runtime_library(Runtime::kRecording);
  if (!runtime) return runtime.error();
  auto directory = cached_directory(
      program,
      fmt::format("recording {} {} {} {} {} {}", HEDDLE_RECORDING_VERSION, HEDDLE_INSTRUMENTATION_VERSION,
                  options.marks_cores, options.marks_ways, options.keeps_values, HEDDLE_VERSION),
      {*runtime, models_file(*runtime), base::own_path()});
  if (!directory) return directory.error();
  if (auto known = read_target(program, *directory)) return *known;
  Target target = named_target(program, *directory);
  auto filled = fill_cache(
      *directory, [&](const std::string& partial) { return fill(program, options, *runtime, partial, target); });
  if (!filled) return filled.error();
  return target;
}

}  // namespace heddle::build
