// SPDX-License-Identifier: Apache-2.0
//
// Records on request: function entry and exit, the way branches go, and the
// values instructions compute. None of them is a visible operation, so they
// change neither the numbering of events nor what a schedule means. With both
// functions and values, an entry is followed by the values of the arguments that
// are simple, at the same site.
#include <llvm/IR/InstIterator.h>

#include "pass/rewriter.h"

namespace heddle::pass {
namespace {

llvm::Value* bits_of(Rewriter& r, llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  llvm::Value* bits = type->isPointerTy()   ? builder.CreatePtrToInt(value, r.i64)
                      : type->isIntegerTy() ? value
                                            : builder.CreateBitCast(value, builder.getIntNTy(r.layout.getTypeStoreSizeInBits(type)));
  return builder.CreateZExtOrTrunc(bits, r.i64);
}

// Who is called says that it begins; from where, only the caller knows.
void record_calls(Rewriter& r, llvm::Function& function) {
  auto calling = r.hook("__heddle_calling", r.nothing, {r.i32});
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || call->isInlineAsm() || !r.site_number(*call)) continue;
    const llvm::Function* callee = call->getCalledFunction();
    if (callee && callee->isDeclaration()) continue;
    llvm::IRBuilder<>(call).CreateCall(calling, {r.site(*call)});
  }
}

void record_function(Rewriter& r, llvm::Function& function) {
  auto enter = r.hook("__heddle_function_enter", r.nothing, {r.pointer, r.i32});
  auto leave = r.hook("__heddle_function_exit", r.nothing, {r.i32});
  const llvm::Instruction* first = function.getEntryBlock().getFirstNonPHIOrDbg();
  while (!r.site_number(*first)) first = first->getNextNonDebugInstruction();  // what is there for a branch
  llvm::Constant* site = r.site(*first);
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  builder.CreateCall(enter, {&function, site});
  auto value = r.hook("__heddle_local_value", r.nothing, {r.i64, r.i32, r.i32});
  for (llvm::Argument& argument : function.args())
    if (r.options.values && !r.options.free_running && is_simple(argument.getType()))
      builder.CreateCall(value, {bits_of(r, builder, &argument), r.number(r.layout.getTypeStoreSize(argument.getType())), site});
  record_calls(r, function);
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* end = block.getTerminator();
    const bool leaves = llvm::isa<llvm::ReturnInst>(end) || llvm::isa<llvm::ResumeInst>(end);
    if (leaves && !block.getTerminatingMustTailCall()) llvm::IRBuilder<>(end).CreateCall(leave, {site});
  }
}

// The number of the successor that will be taken.
llvm::Value* way_of(Rewriter& r, llvm::IRBuilder<>& builder, llvm::Instruction& end) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end))
    return branch->isConditional() ? builder.CreateSelect(branch->getCondition(), r.number(0), r.number(1)) : nullptr;
  auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end);
  if (!choice) return nullptr;
  llvm::Value* way = r.number(0);  // the default
  for (const auto& option : choice->cases())
    way = builder.CreateSelect(builder.CreateICmpEQ(choice->getCondition(), option.getCaseValue()),
                               r.number(option.getSuccessorIndex()), way);
  return way;
}

void record_branches(Rewriter& r, llvm::Function& function) {
  auto hook = r.hook("__heddle_branch", r.nothing, {r.i32, r.i32});
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* end = block.getTerminator();
    if (!r.site_number(*end)) continue;
    llvm::IRBuilder<> builder(end);
    if (llvm::Value* way = way_of(r, builder, *end)) builder.CreateCall(hook, {way, r.site(*end)});
  }
}

void record_values(Rewriter& r, llvm::Function& function) {
  auto hook = r.hook("__heddle_local_value", r.nothing, {r.i64, r.i32, r.i32});
  std::vector<std::pair<llvm::Instruction*, llvm::Instruction*>> instructions;  // and what follows; all phis of a block: the same
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!r.site_number(instruction) || !has_value(instruction, r.escape)) continue;
    if (r.options.free_running && llvm::isa<llvm::AllocaInst>(instruction)) continue;
    instructions.emplace_back(&instruction, llvm::isa<llvm::PHINode>(instruction) ? &*instruction.getParent()->getFirstInsertionPt()
                                                                                  : instruction.getNextNode());
  }
  for (const auto& [instruction, next] : instructions) {
    llvm::IRBuilder<> builder(next);
    const uint64_t size = r.layout.getTypeStoreSize(instruction->getType());
    builder.CreateCall(hook, {bits_of(r, builder, instruction), r.number(size), r.site(*instruction)});
  }
}

}  // namespace

bool is_simple(const llvm::Type* type) {
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isPointerTy() || type->isFloatTy() ||
         type->isDoubleTy();
}

bool has_value(const llvm::Instruction& instruction, Escape& escape) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (load && (load->isAtomic() || !escape.is_private(load->getPointerOperand(), true))) return false;
  return is_simple(instruction.getType()) && !instruction.isTerminator() && !llvm::isa<llvm::LandingPadInst>(instruction);
}

void add_local_records(Rewriter& r, llvm::Function& function) {
  if (r.options.values) record_values(r, function);
  if (r.options.branches) record_branches(r, function);
  if (r.options.functions) record_function(r, function);
}

}  // namespace heddle::pass
