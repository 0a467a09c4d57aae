// SPDX-License-Identifier: Apache-2.0
//
// Records on request: function entry and exit, the way branches go, and the
// values instructions compute. None of them is a visible operation, so they
// change neither the numbering of events nor what a schedule means. With both
// functions and values, an entry is followed by the values of the arguments that
// are simple, at the same site.
//
// A value that is not simple (a vector, a structure, more than 64 bits) has one record
// for each of its parts, in a free run. A controlled run leaves it out: there, whoever
// follows the program's code expects one record for each value.
#include <llvm/IR/InstIterator.h>

#include "pass/rewriter.h"

namespace heddle::pass {
namespace {

llvm::Value* bits_of(Rewriter& r, llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  llvm::Value* bits = type->isPointerTy() ? builder.CreatePtrToInt(value, r.i64)
                      : type->isIntegerTy()
                          ? value
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
      builder.CreateCall(
          value, {bits_of(r, builder, &argument), r.number(r.layout.getTypeStoreSize(argument.getType())), site});
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

// Loads that other threads may have a part in have records of their own.
bool computes(const llvm::Instruction& instruction, Escape& escape) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (load && (load->isAtomic() || !escape.is_private(load->getPointerOperand(), true))) return false;
  return !llvm::isa<llvm::LandingPadInst>(instruction);
}

constexpr size_t kMostParts = 64;

// Elements, members, and words of 64 bits from the lowest; as far as there is room.
void add_parts(Rewriter& r, llvm::IRBuilder<>& builder, llvm::Value* value, std::vector<llvm::Value*>& parts) {
  llvm::Type* type = value->getType();
  if (parts.size() >= kMostParts) return;
  if (is_simple(type)) {
    parts.push_back(value);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (uint64_t i = 0; i < vector->getNumElements() && parts.size() < kMostParts; ++i)
      add_parts(r, builder, builder.CreateExtractElement(value, i), parts);
  } else if (type->isStructTy() || type->isArrayTy()) {
    const uint64_t count = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
    for (unsigned i = 0; i < count && parts.size() < kMostParts; ++i)
      add_parts(r, builder, builder.CreateExtractValue(value, i), parts);
  } else if (type->isIntegerTy() || type->isFloatingPointTy()) {
    const auto width = static_cast<unsigned>(type->getPrimitiveSizeInBits());
    llvm::Value* bits = builder.CreateBitCast(value, builder.getIntNTy(width));
    for (unsigned at = 0; at < width && parts.size() < kMostParts; at += 64)
      parts.push_back(
          builder.CreateTrunc(at ? builder.CreateLShr(bits, at) : bits, builder.getIntNTy(std::min(width - at, 64u))));
  }
}

// Where the result of an instruction can be recorded; null: nowhere.
llvm::Instruction* after(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction))
    return &*instruction.getParent()->getFirstInsertionPt();  // all phis of a block: the same
  const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&instruction);
  if (!invoke) return instruction.getNextNode();
  llvm::BasicBlock* next = invoke->getNormalDest();
  return next->getSinglePredecessor() ? &*next->getFirstInsertionPt() : nullptr;
}

// Puts together what others computed, and may have parts that nobody gave a value yet.
bool only_assembles(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::InsertValueInst>(instruction) || llvm::isa<llvm::InsertElementInst>(instruction)) return true;
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
  return shuffle && llvm::is_contained(shuffle->getShuffleMask(), llvm::PoisonMaskElem);
}

bool is_recorded(Rewriter& r, const llvm::Instruction& instruction) {
  if (!r.options.free_running) return has_value(instruction, r.escape);
  return !llvm::isa<llvm::AllocaInst>(instruction) && !only_assembles(instruction) && computes(instruction, r.escape) &&
         !instruction.getType()->isVoidTy() && !instruction.getType()->isTokenTy();
}

void record_values(Rewriter& r, llvm::Function& function) {
  auto hook = r.hook("__heddle_local_value", r.nothing, {r.i64, r.i32, r.i32});
  std::vector<std::pair<llvm::Instruction*, llvm::Instruction*>> instructions;  // and what follows
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!r.site_number(instruction) || !is_recorded(r, instruction)) continue;
    if (llvm::Instruction* next = after(instruction)) instructions.emplace_back(&instruction, next);
  }
  for (const auto& [instruction, next] : instructions) {
    llvm::IRBuilder<> builder(next);
    std::vector<llvm::Value*> parts;
    add_parts(r, builder, instruction, parts);
    for (llvm::Value* part : parts)
      builder.CreateCall(hook, {bits_of(r, builder, part), r.number(r.layout.getTypeStoreSize(part->getType())),
                                r.site(*instruction)});
  }
}

}  // namespace

bool is_simple(const llvm::Type* type) {
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isPointerTy() || type->isFloatTy() ||
         type->isDoubleTy();
}

bool has_value(const llvm::Instruction& instruction, Escape& escape) {
  return is_simple(instruction.getType()) && !instruction.isTerminator() && computes(instruction, escape);
}

void add_local_records(Rewriter& r, llvm::Function& function) {
  if (r.options.values) record_values(r, function);
  if (r.options.branches) record_branches(r, function);
  if (r.options.functions) record_function(r, function);
}

}  // namespace heddle::pass
