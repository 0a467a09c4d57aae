// SPDX-License-Identifier: Apache-2.0
//
// A tiny program in LLVM's assembly and the records of one thread's run of it,
// written by hand, for tests of the walker. Instructions are numbered from 1 in
// the order of the text; global number n (from 0) lies at 4096 * (n + 1).
//
//   TinyRun run("@x = global i32 0\n define void @f() { ... }");
//   run.enter("f").load(1, 7).leave("f");
//   run.walk().operations[0].read ...
#pragma once

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/SourceMgr.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "build/numbered_program_llvm.h"
#include "symbolic/trace_path.h"
#include "symbolic/walker.h"

namespace heddle::symbolic {

class TinyRun {
 public:
  explicit TinyRun(const std::string& assembly) : program_(parse(assembly)) {}

  // Memory that the instructions with these numbers access belongs to the thread alone.
  TinyRun& make_private(std::vector<uint32_t> sites) { return mark(program_.inside().is_private, sites); }
  // What these compute is recorded.
  TinyRun& record_values(std::vector<uint32_t> sites) { return mark(program_.inside().has_value, sites); }

  TinyRun& enter(const std::string& function, std::vector<uint64_t> arguments = {}) {
    add(HEDDLE_FUNCTION_ENTER, *program_.first_site(function));
    for (const uint64_t argument : arguments) value(*program_.first_site(function), argument);
    return *this;
  }
  TinyRun& leave(const std::string& function) { return add(HEDDLE_FUNCTION_EXIT, *program_.first_site(function)); }
  TinyRun& value(uint32_t site, uint64_t number) { return add(HEDDLE_LOCAL_VALUE, site, 0, 8, number); }
  TinyRun& branch(uint32_t site, uint64_t way) { return add(HEDDLE_BRANCH, site, 0, 0, way); }
  TinyRun& load(uint32_t site, uint64_t address, uint8_t size, uint64_t number) {
    return operate(HEDDLE_LOAD, site, address, size, number);
  }
  TinyRun& store(uint32_t site, uint64_t address, uint8_t size, uint64_t number) {
    return operate(HEDDLE_STORE, site, address, size, number);
  }
  TinyRun& exchange(uint32_t site, uint64_t address, uint8_t size, uint64_t old, uint64_t number, bool fails = false) {
    operate(HEDDLE_CAS, site, address, size, old);
    records_.back().value2 = number;
    if (fails) records_.back().flags = HEDDLE_FLAG_FAILED;
    return *this;
  }

  const ThreadTrace& walk(bool detours = false) {
    std::vector<const HeddleRecord*> records;
    for (const HeddleRecord& record : records_) records.push_back(&record);
    TracePath path(std::move(records));
    trace_ = walk_thread(program_, path, terms, "T0", statistics, detours);
    return trace_;
  }

  solve::Terms terms;
  WalkStatistics statistics;

 private:
  using Instructions = llvm::DenseSet<const llvm::Instruction*>;

  static build::NumberedProgram parse(const std::string& assembly) {
    auto inside = std::make_unique<build::NumberedProgram::Implementation>();
    inside->context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic problem;
    inside->module = llvm::parseAssemblyString(assembly, problem, *inside->context);
    HEDDLE_CHECK(inside->module, problem.getMessage().str().c_str());
    uint32_t site = 0;
    for (const llvm::Function& function : *inside->module) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) inside->sites[&instruction] = ++site;
      if (!function.isDeclaration()) inside->functions[inside->site(*function.getEntryBlock().begin())] = &function;
    }
    uint64_t address = 0;
    for (const llvm::GlobalVariable& global : inside->module->globals())
      inside->globals[global.getName().str()] = address += 4096;
    return build::NumberedProgram(std::move(inside));
  }

  TinyRun& mark(Instructions& marked, const std::vector<uint32_t>& sites) {
    for (const uint32_t site : sites)
      for (const auto& [instruction, number] : program_.inside().sites)
        if (number == site) marked.insert(instruction);
    return *this;
  }

  TinyRun& add(uint8_t kind, uint32_t site, uint64_t address = 0, uint8_t size = 0, uint64_t number = 0) {
    HeddleRecord record{};
    record.kind = kind;
    record.site = site;
    record.address = address;
    record.size = size;
    record.value = number;
    record.index = operations_;
    records_.push_back(record);
    return *this;
  }
  TinyRun& operate(uint8_t kind, uint32_t site, uint64_t address, uint8_t size, uint64_t number) {
    add(kind, site, address, size, number);
    ++operations_;
    return *this;
  }

  build::NumberedProgram program_;
  std::vector<HeddleRecord> records_;
  uint32_t operations_ = 0;
  ThreadTrace trace_;
};

}  // namespace heddle::symbolic
