// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the instrumentation share: the module, the hooks' types,
// the numbers of sites, and the report being made.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <set>

#include "pass/escape.h"
#include "pass/instrument.h"

namespace heddle::pass {

class Rewriter {
 public:
  Rewriter(llvm::Module& module, const InstrumentOptions& options);

  // Gives every instruction of the module its number.
  void number_instructions();

  // The instruction's number as an operand; its place enters the report.
  llvm::Constant* site(const llvm::Instruction& instruction, const llvm::Value* accessed = nullptr);
  uint32_t site_number(const llvm::Instruction& instruction) const { return sites_.lookup(&instruction); }

  // A hook by name; declared on first use.
  llvm::FunctionCallee hook(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);

  // A private copy of memory, as large as `type`, in the entry block.
  llvm::AllocaInst* scratch(llvm::Function& function, llvm::Type* type);

  llvm::Constant* number(uint64_t value) const { return llvm::ConstantInt::get(i32, value); }
  llvm::Constant* text(llvm::StringRef value);

  void fail(const std::string& message);

  llvm::Module& module;
  const InstrumentOptions& options;
  const llvm::DataLayout& layout;
  Escape escape;
  InstrumentReport report;
  std::string failure;  // first thing that cannot be instrumented
  std::set<std::string> unknown, outside;

  llvm::Type* const nothing;
  llvm::PointerType* const pointer;
  llvm::IntegerType* const i32;
  llvm::IntegerType* const i64;

 private:
  llvm::DenseMap<const llvm::Instruction*, uint32_t> sites_;
  llvm::DenseMap<uint32_t, bool> placed_;
  llvm::StringMap<llvm::Constant*> texts_;
};

// Each rewrites one kind of instruction; the instruction may be gone afterwards.
void rewrite_load(Rewriter& rewriter, llvm::LoadInst& load);
void rewrite_store(Rewriter& rewriter, llvm::StoreInst& store);
void rewrite_rmw(Rewriter& rewriter, llvm::AtomicRMWInst& rmw);
void rewrite_cas(Rewriter& rewriter, llvm::AtomicCmpXchgInst& cas);
void rewrite_fence(Rewriter& rewriter, llvm::FenceInst& fence);
void rewrite_call(Rewriter& rewriter, llvm::CallBase& call);
void rewrite_resume(Rewriter& rewriter, llvm::ResumeInst& resume);
void announce_locals(Rewriter& rewriter, llvm::Function& function);

// A type whose values fit one record.
bool is_simple(const llvm::Type* type);
// Whether what the instruction computes is recorded on request in a controlled run: its type is simple, and no
// operation says it.
bool has_value(const llvm::Instruction& instruction, Escape& escape);

// Records on request (InstrumentOptions); before any instruction is rewritten.
void add_local_records(Rewriter& rewriter, llvm::Function& function);

// main, static constructors and destructors become functions of known names
// that the runtime calls.
void rewrite_program_entry(Rewriter& rewriter);

}  // namespace heddle::pass
