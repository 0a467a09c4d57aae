// SPDX-License-Identifier: Apache-2.0
//
// A target: the program, instrumented, as native code linked with the runtime,
// ready to be started by src/execute. Targets are cached by the content of the
// program, of the runtime, and by the instrumentation asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "program/site_dependence.h"
#include "program/whole_program.h"
#include "trace/trace.h"

namespace heddle::build {

struct TargetOptions {
  bool free_running = false;  // for a free run: threads in parallel, every event written down
  bool optimise = false;      // instrument what clang -O2 would make of the program
  bool functions = false;     // record function entry and exit
  bool branches = false;      // which way branches go
  bool values = false;        // what instructions compute
  bool dependence = false;    // also find out which operations may depend on which values
};

struct Target {
  std::string executable;
  uint64_t executable_bytes = 0;
  std::string program_name;
  std::string module_hash;
  std::vector<trace::Site> sites;  // by number; unnamed ones are empty
  std::vector<trace::Global> globals;
  std::vector<std::string> unknown_functions;
  std::vector<std::string> outside_functions;
  uint64_t accesses = 0;
  uint64_t private_accesses = 0;
  bool from_cache = false;
  std::shared_ptr<const program::SiteDependence> dependence;  // on request
};

// Uses up the program's module.
base::Result<Target> make_target(program::WholeProgram program, const TargetOptions& options);

// What is done to every module before it is instrumented: models of library
// functions are linked into it.
base::Result<void> prepare_module(llvm::Module& module, const std::string& runtime, bool optimise = false);

// Code without bitcode is linked that may know the program's global names.
bool is_open(const program::WholeProgram& program);

}  // namespace heddle::build
