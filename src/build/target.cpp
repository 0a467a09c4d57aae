// SPDX-License-Identifier: Apache-2.0
#include "build/target.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <filesystem>
#include <vector>

#include "abi/version.h"
#include "base/files.h"
#include "base/process.h"
#include "build/free_hooks.h"
#include "build/generate_code.h"
#include "build/library_bodies.h"
#include "build/link_target.h"
#include "build/models.h"
#include "build/own_inline_functions.h"
#include "build/runtime_library.h"
#include "build/target_cache.h"
#include "build/target_map.h"
#include "pass/instrument.h"
#include "program/dependence/program_dependence.h"
#include "program/dependence/site_closure.h"
#include "program/whole_program_llvm.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

// Everything the executable depends on.
base::Result<std::string> directory_for(const program::WholeProgram& program, const std::string& runtime,
                                        const TargetOptions& options) {
  std::vector<std::string> files = {runtime, models_file(runtime), base::own_path()};
  if (options.free_running) files.push_back(free_hooks_file(runtime));
  return cached_directory(
      program,
      fmt::format("{} {} {} {} {} {} {}", HEDDLE_INSTRUMENTATION_VERSION, options.functions, options.branches,
                  options.values, options.optimise, options.dependence, HEDDLE_VERSION),
      files);
}

base::Result<void> prepare(llvm::Module& module, const std::string& runtime, bool optimise) {
  if (!optimise) drop_library_bodies(module);
  return link_models(module, models_file(runtime));
}

base::Result<void> fill_directory(program::WholeProgram& program, const TargetOptions& options,
                                  const std::string& runtime, const std::string& directory, Target& target) {
  pass::InstrumentOptions instrumentation;
  instrumentation.functions = options.functions;
  instrumentation.branches = options.branches;
  instrumentation.values = options.values;
  instrumentation.free_running = options.free_running;
  instrumentation.optimise = options.optimise;
  if (options.dependence) {
    instrumentation.inspect = [&](const pass::NumberedModule& numbered) {
      const program::Instrumentation hooks{numbered.site, numbered.is_private};
      target.dependence = std::make_shared<const program::SiteDependence>(
          program::close_over_sites(program::find_dependences(numbered.module, hooks, is_open(program))));
    };
  }
  if (auto prepared = prepare(program.module(), runtime, options.optimise); !prepared) return prepared.error();
  auto report = pass::instrument(program.module(), instrumentation);
  if (!report) return report.error();
  if (options.free_running)
    if (auto inlined = inline_free_hooks(program.module(), free_hooks_file(runtime)); !inlined) return inlined.error();
  if (!program.native_objects().empty()) keep_inline_functions_apart(program.module());
  const std::string object = directory + "/program.o";
  if (auto made = generate_object(program.module(), object); !made) return made.error();
  const std::string executable = directory + "/target";
  if (auto linked = link_target(program, runtime, object, directory, executable); !linked) return linked.error();
  auto globals = locate_globals(executable, report->globals);
  if (!globals) return globals.error();
  fs::remove(object);

  target.sites = site_table(report->places);
  target.globals = std::move(*globals);
  target.unknown_functions = report->unknown_functions;
  target.outside_functions = report->outside_functions;
  target.accesses = report->accesses;
  target.private_accesses = report->private_accesses;
  target.executable_bytes = fs::file_size(executable);
  if (options.dependence)
    if (auto written = base::write_file(directory + "/dependence", target.dependence->to_bytes()); !written)
      return written.error();
  return base::write_file(directory + "/map", write_map(target));
}

bool read_dependence(const std::string& directory, Target& target) {
  auto bytes = base::read_file(directory + "/dependence");
  if (!bytes) return false;
  auto dependence = program::SiteDependence::from_bytes(*bytes);
  if (dependence) target.dependence = std::make_shared<const program::SiteDependence>(std::move(*dependence));
  return static_cast<bool>(dependence);
}

}  // namespace

base::Result<void> prepare_module(llvm::Module& module, const std::string& runtime, bool optimise) {
  return prepare(module, runtime, optimise);
}

bool is_open(const program::WholeProgram& program) {
  return !program.native_objects().empty() || !program.shared_libraries().empty();
}

base::Result<Target> make_target(program::WholeProgram program, const TargetOptions& options) {
  auto runtime = runtime_library(options.free_running ? Runtime::kFree : Runtime::kControlled);
  if (!runtime) return runtime.error();
  auto directory = directory_for(program, *runtime, options);
  if (!directory) return directory.error();
  if (auto known = read_target(program, *directory);
      known && (!options.dependence || read_dependence(*directory, *known)))
    return *known;
  Target target = named_target(program, *directory);
  auto filled = fill_cache(*directory, [&](const std::string& partial) {
    return fill_directory(program, options, *runtime, partial, target);
  });
  if (!filled) return filled.error();
  return target;
}

}  // namespace heddle::build
