// SPDX-License-Identifier: Apache-2.0
//
// Instrumentation: turns a whole program's module into one whose visible
// operations go through the runtime's hooks (src/abi/hooks.h).
//
//   load i32, ptr @x        becomes   call i32 @__heddle_load4(ptr @x, order, site)
//   call @malloc(n)         becomes   call @__heddle_allocate(n, ...)
//   call @pthread_join(...) stays; __heddle_place(site) before it says where
//   call @unknown(...)      stays, between __heddle_extern_begin and _end
//
// Accesses to memory that provably belongs to one thread are left out and
// counted (escape.h). Every instruction has a number, its site, given before
// anything is changed; the report says which place a site is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace llvm {
class Instruction;
class Module;
class Value;
}  // namespace llvm

namespace heddle::pass {

// The module when every instruction has its number and nothing is changed yet.
struct NumberedModule {
  const llvm::Module& module;
  std::function<uint32_t(const llvm::Instruction&)> site;
  std::function<bool(const llvm::Value* pointer, bool load)> is_private;  // accesses get no hook
  std::function<bool(const llvm::Instruction&)> has_value;                // recorded with InstrumentOptions::values
};

struct InstrumentOptions {
  bool functions = false;     // record function entry and exit
  bool branches = false;      // record which way branches go
  bool values = false;        // record what instructions compute
  bool free_running = false;  // then without arguments and places of locals, which are chance or known otherwise
  bool optimise = false;      // first optimise as clang -O2 does, without vectors
  // Called once, before any hook is there.
  std::function<void(const NumberedModule&)> inspect = {};
};

struct SitePlace {
  uint32_t site = 0;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function;
  std::string variable;
};

struct GlobalObject {
  std::string symbol;  // in the module
  std::string name;    // "file:counter"
  uint64_t size = 0;
};

struct InstrumentReport {
  std::vector<SitePlace> places;  // ascending by site
  std::vector<GlobalObject> globals;
  std::vector<std::string> unknown_functions;  // called, without bitcode, effects not known; sorted
  std::vector<std::string> outside_functions;  // act on files, processes and the like; sorted
  uint64_t accesses = 0;                       // loads, stores, atomics and ranges with a hook
  uint64_t private_accesses = 0;               // left out: memory of one thread, or constant
};

// Prepares and numbers the module as `instrument` does, and calls options.inspect; no hook is put in.
base::Result<void> number(llvm::Module& module, const InstrumentOptions& options);

// Changes the module in place. Fails on what cannot be instrumented (no main,
// an instruction without a hook).
base::Result<InstrumentReport> instrument(llvm::Module& module, const InstrumentOptions& options);

}  // namespace heddle::pass
