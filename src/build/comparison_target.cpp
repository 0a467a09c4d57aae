// SPDX-License-Identifier: Apache-2.0
#include "build/comparison_target.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <unistd.h>

#include <filesystem>

#include "abi/comparison.h"
#include "abi/version.h"
#include "base/files.h"
#include "base/process.h"
#include "build/comparison_map.h"
#include "build/generate_code.h"
#include "build/library_bodies.h"
#include "build/link_target.h"
#include "build/runtime_library.h"
#include "build/target_cache.h"
#include "pass/global_objects.h"
#include "program/whole_program_llvm.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

base::Result<void> fill(program::WholeProgram& program, bool optimise, const std::string& runtime,
                        const std::string& directory, ComparisonTarget& target) {
  drop_library_bodies(program.module());
  const std::vector<pass::GlobalObject> objects = pass::global_objects(program.module());
  auto code = pass::instrument_for_comparison(program.module(), optimise);
  if (!code) return code.error();
  target.code = std::move(*code);
  const std::string object = directory + "/program.o", executable = directory + "/target";
  if (auto made = generate_object(program.module(), object); !made) return made.error();
  if (auto linked = link_target(program, runtime, object, directory, executable); !linked) return linked.error();
  auto globals = locate_globals(executable, objects);
  if (!globals) return globals.error();
  target.globals = std::move(*globals);
  fs::remove(object);
  return base::write_file(directory + "/map", write_comparison_map(target));
}

}  // namespace

base::Result<ComparisonTarget> make_comparison_target(program::WholeProgram program, bool optimise) {
  auto runtime = runtime_library(Runtime::kComparison);
  if (!runtime) return runtime.error();
  auto directory =
      cached_directory(program, fmt::format("comparison {} {} {}", HEDDLE_COMPARISON_VERSION, optimise, HEDDLE_VERSION),
                       {*runtime, base::own_path()});
  if (!directory) return directory.error();
  ComparisonTarget target;
  target.program_name = program.name();
  target.module_hash = program.hash();
  target.executable = *directory + "/target";
  if (auto map = base::read_file(*directory + "/map"); map && ::access(target.executable.c_str(), X_OK) == 0)
    if (read_comparison_map(*map, target)) return target;
  auto filled = fill_cache(
      *directory, [&](const std::string& partial) { return fill(program, optimise, *runtime, partial, target); });
  if (!filled) return filled.error();
  return target;
}

}  // namespace heddle::build
