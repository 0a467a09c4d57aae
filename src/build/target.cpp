// SPDX-License-Identifier: Apache-2.0
#include "build/target.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ELFObjectFile.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <unordered_map>
#include <vector>

#include "abi/version.h"
#include "base/files.h"
#include "base/process.h"
#include "build/clang.h"
#include "build/free_hooks.h"
#include "build/generate_code.h"
#include "build/models.h"
#include "build/target_map.h"
#include "pass/instrument.h"
#include "program/dependence/program_dependence.h"
#include "program/dependence/site_closure.h"
#include "program/whole_program_llvm.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

base::Result<std::string> cache_directory() {
  std::string root;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
    root = cache;
  } else if (const char* home = std::getenv("HOME"); home && *home) {
    root = std::string(home) + "/.cache";
  } else {
    return base::Error{"no place for the cache: neither XDG_CACHE_HOME nor HOME is set", "set XDG_CACHE_HOME"};
  }
  return root + "/heddle/targets";
}

// Differs when the file was made anew.
base::Result<std::string> file_stamp(const std::string& path) {
  std::error_code failed, also_failed;
  const auto size = fs::file_size(path, failed);
  const auto time = fs::last_write_time(path, also_failed).time_since_epoch().count();
  if (failed || also_failed)
    return base::Error{fmt::format("cannot read {}: {}", path, (failed ? failed : also_failed).message()),
                       "build or install heddle anew"};
  return fmt::format("{} {} {}", path, size, time);
}

// Everything the executable depends on.
base::Result<std::string> cache_key(const program::WholeProgram& program, const std::string& runtime,
                                    const TargetOptions& options) {
  std::string key = fmt::format("{} {} {} {} {} {} {} {}", program.hash(), HEDDLE_INSTRUMENTATION_VERSION,
                                options.functions, options.branches, options.values, options.optimise,
                                options.dependence, HEDDLE_VERSION);
  std::vector<std::string> files = {runtime, models_file(runtime), base::own_path()};
  if (options.free_running) files.push_back(free_hooks_file(runtime));
  for (const std::string& file : files) {
    auto stamp = file_stamp(file);
    if (!stamp) return stamp.error();
    key += " " + *stamp;
  }
  return base::hash_text(key);
}

base::Result<void> link(const program::WholeProgram& program, const std::string& runtime, const std::string& object,
                        const std::string& directory, const std::string& executable) {
  auto clang = find_clang(program.needs_cxx() ? Language::cxx : Language::c);
  if (!clang) return clang.error();
  std::vector<std::string> command = {*clang, "-no-pie", "-pthread", "-fuse-ld=lld-19", "-o", executable, object};
  for (size_t i = 0; i < program.native_objects().size(); ++i) {
    const std::string path = fmt::format("{}/native{}.o", directory, i);
    if (auto written = base::write_file(path, program.native_objects()[i].bytes); !written) return written.error();
    command.push_back(path);
  }
  // The runtime comes first, and stays although nothing may need it.
  command.insert(command.end(), {"-Wl,--no-as-needed", runtime, "-Wl,--as-needed", "-Wl,-z,now",
                                 "-Wl,-rpath," + fs::path(runtime).parent_path().string()});
  for (const std::string& library : program.shared_libraries()) {
    command.push_back(library);
    command.push_back("-Wl,-rpath," + fs::path(library).parent_path().string());
  }
  for (const std::string& flag : program.link_flags())
    if (flag != "-pie" && flag != "-static" && flag != "-static-pie") command.push_back(flag);
  base::ProcessOptions quiet;
  quiet.capture_err = quiet.capture_out = true;
  auto linked = base::run_process(command, quiet);
  if (!linked) return linked.error();
  if (linked->exit_code != 0)
    return base::Error{"cannot link the instrumented program:\n" + linked->err, "the program needs a library that was not recorded?"};
  return {};
}

// Addresses of the program's globals in the linked file.
base::Result<std::vector<trace::Global>> locate_globals(const std::string& executable,
                                                        const std::vector<pass::GlobalObject>& wanted) {
  auto file = llvm::object::ObjectFile::createObjectFile(executable);
  if (!file) return base::Error{"cannot read " + executable + ": " + llvm::toString(file.takeError()), ""};
  std::unordered_map<std::string, uint64_t> addresses;
  for (const auto& symbol : file->getBinary()->symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto flags = symbol.getFlags();
    const bool useless = !name || !address || !flags || (*flags & llvm::object::SymbolRef::SF_Undefined);
    if (!useless) addresses.emplace(name->str(), *address);
    if (!name) llvm::consumeError(name.takeError());
    if (!address) llvm::consumeError(address.takeError());
    if (!flags) llvm::consumeError(flags.takeError());
  }
  std::vector<trace::Global> globals;
  for (const pass::GlobalObject& global : wanted) {
    const auto found = addresses.find(global.symbol);
    if (found != addresses.end()) globals.push_back({global.name, found->second, global.size});
  }
  return globals;
}

// With optimisation on, the frontend adds bodies of functions that live in a
// library (extern templates), for inlining only: no code is made from them, so
// what they would do is not seen. Without their bodies they get a model, or count
// as code without bitcode. Those that must be inlined always are.
void drop_library_bodies(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.hasAvailableExternallyLinkage() || function.hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
    function.deleteBody();
    function.setComdat(nullptr);
  }
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
  const std::string object = directory + "/program.o";
  if (auto made = generate_object(program.module(), object); !made) return made.error();
  const std::string executable = directory + "/target";
  if (auto linked = link(program, runtime, object, directory, executable); !linked) return linked.error();
  auto globals = locate_globals(executable, report->globals);
  if (!globals) return globals.error();
  fs::remove(object);

  target.sites.resize(report->places.empty() ? 1 : report->places.back().site + 1);
  for (const pass::SitePlace& place : report->places)
    target.sites[place.site] = {place.file, place.line, place.column, place.function, place.variable};
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

base::Result<void> prepare_module(llvm::Module& module, const std::string& runtime) {
  return prepare(module, runtime, false);
}

bool is_open(const program::WholeProgram& program) {
  return !program.native_objects().empty() || !program.shared_libraries().empty();
}

base::Result<std::string> runtime_library(bool free_running) {
  const fs::path binary = base::own_path();
  const fs::path library = binary.parent_path().parent_path() / "lib/heddle" /
                           (free_running ? "libheddle_free.so" : "libheddle_runtime.so");
  std::error_code failed;
  const fs::path found = fs::canonical(library, failed);
  if (failed) return base::Error{fmt::format("the runtime is missing: {}", library.string()), "build or install heddle anew"};
  return found.string();
}

base::Result<Target> make_target(program::WholeProgram program, const TargetOptions& options) {
  auto runtime = runtime_library(options.free_running);
  if (!runtime) return runtime.error();
  auto key = cache_key(program, *runtime, options);
  if (!key) return key.error();
  auto cache = cache_directory();
  if (!cache) return cache.error();
  const std::string directory = *cache + "/" + *key;

  Target target;
  target.program_name = program.name();
  target.module_hash = program.hash();
  target.executable = directory + "/target";
  if (auto map = base::read_file(directory + "/map"); map && ::access(target.executable.c_str(), X_OK) == 0) {
    std::error_code unreadable;
    if (read_map(*map, target) && fs::file_size(target.executable, unreadable) == target.executable_bytes &&
        (!options.dependence || read_dependence(directory, target))) {
      target.from_cache = true;
      return target;
    }
    target.sites.clear(), target.globals.clear(), target.unknown_functions.clear(), target.outside_functions.clear();
  }

  // Built beside its place and renamed when whole.
  const std::string partial = fmt::format("{}.partial.{}", directory, ::getpid());
  std::error_code failed;
  fs::remove_all(partial, failed);
  fs::create_directories(partial, failed);
  if (failed) return base::Error{fmt::format("cannot create {}: {}", partial, failed.message()), "set XDG_CACHE_HOME"};
  auto filled = fill_directory(program, options, *runtime, partial, target);
  if (!filled) {
    fs::remove_all(partial, failed);
    return filled.error();
  }
  fs::remove_all(directory, failed);
  fs::rename(partial, directory, failed);
  if (failed && ::access(target.executable.c_str(), X_OK) != 0)
    return base::Error{fmt::format("cannot fill the cache {}: {}", directory, failed.message()), ""};
  fs::remove_all(partial, failed);
  return target;
}

}  // namespace heddle::build
