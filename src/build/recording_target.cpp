// SPDX-License-Identifier: Apache-2.0
#include "build/recording_target.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <unistd.h>

#include <filesystem>

#include "abi/recording.h"
#include "abi/version.h"
#include "base/files.h"
#include "base/process.h"
#include "build/generate_code.h"
#include "build/link_target.h"
#include "build/models.h"
#include "build/target_cache.h"
#include "build/target_map.h"
#include "pass/global_objects.h"
#include "pass/recording.h"
#include "program/whole_program_llvm.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

base::Result<std::string> recording_runtime() {
  const fs::path library = fs::path(base::own_path()).parent_path().parent_path() / "lib/heddle/libheddle_record.so";
  std::error_code failed;
  const fs::path found = fs::canonical(library, failed);
  if (failed) return base::Error{fmt::format("the runtime is missing: {}", library.string()), "build or install heddle anew"};
  return found.string();
}

base::Result<void> fill(program::WholeProgram& program, bool marks_cores, const std::string& runtime, const std::string& directory,
                        Target& target) {
  if (auto prepared = prepare_module(program.module(), runtime); !prepared) return prepared.error();
  const std::vector<pass::GlobalObject> objects = pass::global_objects(program.module());
  pass::RecordingOptions options;
  options.marks_cores = marks_cores;
  auto recorded = pass::instrument_for_recording(program.module(), options);
  if (!recorded) return recorded.error();
  const std::string object = directory + "/program.o", executable = directory + "/target";
  if (auto made = generate_object(program.module(), object, /*fast=*/true); !made) return made.error();
  if (auto linked = link_target(program, runtime, object, directory, executable); !linked) return linked.error();
  auto globals = locate_globals(executable, objects);
  if (!globals) return globals.error();
  fs::remove(object);
  target.sites.resize(recorded->places.empty() ? 1 : recorded->places.back().site + 1);
  for (const pass::SitePlace& place : recorded->places)
    target.sites[place.site] = {place.file, place.line, place.column, place.function, place.variable};
  target.globals = std::move(*globals);
  target.unknown_functions = recorded->unknown_functions;
  target.executable_bytes = fs::file_size(executable);
  return base::write_file(directory + "/map", write_map(target));
}

}  // namespace

base::Result<Target> make_recording_target(program::WholeProgram program, bool marks_cores) {
  auto runtime = recording_runtime();
  if (!runtime) return runtime.error();
  std::string key = fmt::format("recording {} {} {} {} {}", program.hash(), HEDDLE_RECORDING_VERSION, HEDDLE_INSTRUMENTATION_VERSION,
                                marks_cores, HEDDLE_VERSION);
  for (const std::string& file : {*runtime, models_file(*runtime), base::own_path()}) {
    auto stamp = file_stamp(file);
    if (!stamp) return stamp.error();
    key += " " + *stamp;
  }
  auto cache = cache_directory();
  if (!cache) return cache.error();
  const std::string directory = *cache + "/" + base::hash_text(key);
  Target target;
  target.program_name = program.name();
  target.module_hash = program.hash();
  target.executable = directory + "/target";
  if (auto map = base::read_file(directory + "/map"); map && ::access(target.executable.c_str(), X_OK) == 0) {
    std::error_code unreadable;
    if (read_map(*map, target) && fs::file_size(target.executable, unreadable) == target.executable_bytes) {
      target.from_cache = true;
      return target;
    }
    target.sites.clear(), target.globals.clear(), target.unknown_functions.clear();
  }
  auto filled = fill_cache(directory, [&](const std::string& partial) { return fill(program, marks_cores, *runtime, partial, target); });
  if (!filled) return filled.error();
  return target;
}

}  // namespace heddle::build
