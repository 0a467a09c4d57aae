// SPDX-License-Identifier: Apache-2.0
#include "pass/path_bits.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <vector>

#include "abi/recording.h"
#include "pass/ways.h"

namespace heddle::pass {
namespace {

// The call may go on in a function that called this one: by an exception, or by longjmp.
bool may_leave(const llvm::CallBase& call) {
  if (llvm::isa<llvm::IntrinsicInst>(call) || call.isInlineAsm()) return false;
  return call.doesNotReturn() || (!call.doesNotThrow() && !call.getFunction()->doesNotThrow());
}

// The number of the successor that is about to be taken, as a value.
llvm::Value* choice(llvm::Instruction& terminator, llvm::IRBuilder<>& builder) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) return builder.CreateZExt(branch->getCondition(), builder.getInt64Ty());
  auto& jump = llvm::cast<llvm::IndirectBrInst>(terminator);
  llvm::Value* chosen = builder.getInt64(0);
  uint64_t number = 0;
  for (llvm::BasicBlock* successor : distinct_successors(terminator))
    chosen = builder.CreateSelect(builder.CreateICmpEQ(jump.getAddress(), llvm::BlockAddress::get(successor)),
                                  builder.getInt64(number++), chosen);
  return chosen;
}

}  // namespace

// Where a function looks whether the word is full, where it takes the word from the record again,
// and where it writes.
struct PathBits::Plan {
  struct Write {
    llvm::Instruction* terminator;
    bool then_look;
  };
  std::vector<llvm::Instruction*> take_before, look_before;
  std::vector<Write> writes;
};

PathBits::PathBits(llvm::Module& module)
    : i64_(llvm::Type::getInt64Ty(module.getContext())),
      pointer_(llvm::PointerType::getUnqual(module.getContext())),
      rarely_(llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights()) {
  llvm::LLVMContext& context = module.getContext();
  // What threads have that nobody has given a record yet: bits go there and are lost.
  auto* rest = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), sizeof(HeddlePath) - 8);
  auto* type = llvm::StructType::get(context, {i64_, rest});
  auto* nobody = new llvm::GlobalVariable(
      module, type, false, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantStruct::get(type, {llvm::ConstantInt::get(i64_, HEDDLE_PATH_EMPTY), llvm::ConstantAggregateZero::get(rest)}),
      "__heddle_no_path");
  nobody->setAlignment(llvm::Align(alignof(HeddlePath)));
  // In the executable itself, so that one instruction reaches it.
  path_ = new llvm::GlobalVariable(module, pointer_, false, llvm::GlobalValue::ExternalLinkage, nobody, "__heddle_path", nullptr,
                                   llvm::GlobalValue::LocalExecTLSModel);
  auto* address = llvm::Function::Create(llvm::FunctionType::get(pointer_, false), llvm::GlobalValue::ExternalLinkage,
                                         "__heddle_path_address", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", address));
  builder.CreateRet(builder.CreateThreadLocalAddress(path_));
  full_ = module.getOrInsertFunction("__heddle_path_full", llvm::FunctionType::get(i64_, {i64_}, false));
  auto* function = llvm::cast<llvm::Function>(full_.getCallee());
  function->setCallingConv(llvm::CallingConv::PreserveMost);
  function->addFnAttr(llvm::Attribute::Cold);
  function->setDoesNotThrow();
}

llvm::Value* PathBits::record(llvm::IRBuilder<>& builder) {
  return builder.CreateLoad(pointer_, builder.CreateThreadLocalAddress(path_));
}

PathBits::Plan PathBits::plan(llvm::Function& function, const std::function<bool(const llvm::CallBase&)>& may_record) {
  Plan plan;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> number, bits_after;
  unsigned count = 0;
  for (llvm::BasicBlock* block : order) number[block] = count++;
  for (llvm::BasicBlock* block : order) {
    unsigned bits = 0;  // since the last look, at most
    for (const llvm::BasicBlock* before : llvm::predecessors(block))
      if (number.contains(before) && number[before] < number[block]) bits = std::max(bits, bits_after[before]);
    const auto look_before = [&](llvm::Instruction& position) {
      if (bits) plan.look_before.push_back(&position);
      bits = 0;
    };
    for (llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      const bool records = may_record(*call);
      if (records || may_leave(*call)) look_before(instruction);
      if (!records || call->isMustTailCall()) continue;
      if (!call->isTerminator()) {
        plan.take_before.push_back(call->getNextNode());
      } else {
        for (llvm::BasicBlock* next : llvm::successors(call)) plan.take_before.push_back(&*next->getFirstInsertionPt());
      }
    }
    llvm::Instruction& terminator = *block->getTerminator();
    const unsigned width = width_of(terminator);
    if (width) {
      if (bits + width > HEDDLE_PATH_SPARE) look_before(terminator);
      plan.writes.push_back({&terminator, false});
      bits += width;
    }
    bool leaves = llvm::succ_empty(&terminator);
    if (const auto* last = terminator.getPrevNode(); leaves && last && llvm::isa<llvm::CallInst>(last))
      leaves = !llvm::cast<llvm::CallInst>(last)->isMustTailCall();  // looked before it
    if (leaves && !width) look_before(terminator);
    const bool goes_back = std::any_of(llvm::succ_begin(block), llvm::succ_end(block),
                                       [&](const llvm::BasicBlock* next) { return number[next] <= number[block]; });
    if (bits > HEDDLE_PATH_SPARE || (goes_back && bits)) {
      if (width) plan.writes.back().then_look = true;
      if (!width) plan.look_before.push_back(&terminator);
      bits = 0;
    }
    bits_after[block] = bits;
  }
  return plan;
}

void PathBits::take(llvm::Instruction& position, llvm::AllocaInst& word) {
  llvm::IRBuilder<> builder(&position);
  builder.CreateStore(builder.CreateLoad(i64_, record(builder)), &word);
}

void PathBits::shift_in(llvm::Instruction& position, unsigned width, llvm::Value* bits, llvm::AllocaInst& word) {
  llvm::IRBuilder<> builder(&position);
  llvm::Value* now = builder.CreateLoad(i64_, &word);
  if (width > HEDDLE_PATH_SPARE) {  // only an empty word has room for so many
    llvm::CallInst* emptied = builder.CreateCall(full_, {now});
    emptied->setCallingConv(llvm::CallingConv::PreserveMost);
    now = emptied;
  }
  llvm::Value* then = builder.CreateOr(builder.CreateShl(now, width), bits);
  builder.CreateStore(then, &word);
  builder.CreateStore(then, record(builder));
}

void PathBits::write(llvm::Instruction& terminator, bool then_look, llvm::AllocaInst& word) {
  const unsigned width = width_of(terminator);
  if (!llvm::isa<llvm::SwitchInst>(terminator)) {
    llvm::IRBuilder<> builder(&terminator);
    shift_in(terminator, width, choice(terminator, builder), word);
    if (then_look) look(terminator, word);
    return;
  }
  uint64_t number = 0;
  for (llvm::BasicBlock* successor : distinct_successors(terminator)) {
    llvm::Instruction& end = *edge_block(terminator, *successor).getTerminator();
    shift_in(end, width, llvm::ConstantInt::get(i64_, number++), word);
    if (then_look) look(end, word);
  }
}

void PathBits::look(llvm::Instruction& position, llvm::AllocaInst& word) {
  llvm::IRBuilder<> builder(&position);
  llvm::Value* now = builder.CreateLoad(i64_, &word);
  llvm::Value* is_full = builder.CreateICmpUGE(now, llvm::ConstantInt::get(i64_, 1ull << (64 - HEDDLE_PATH_SPARE)));
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(is_full, position.getIterator(), false, rarely_);
  builder.SetInsertPoint(then);
  llvm::CallInst* emptied = builder.CreateCall(full_, {now});
  emptied->setCallingConv(llvm::CallingConv::PreserveMost);
  builder.CreateStore(emptied, &word);
}

uint64_t PathBits::add(llvm::Function& function, const std::function<bool(const llvm::CallBase&)>& may_record) {
  const Plan plan = this->plan(function, may_record);
  if (plan.writes.empty()) return 0;
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  llvm::AllocaInst* word = builder.CreateAlloca(i64_);
  llvm::Instruction* first = &*entry.getFirstNonPHIOrDbgOrAlloca();
  take(*first, *word);
  for (llvm::Instruction* position : plan.take_before) take(*position, *word);
  for (llvm::Instruction* position : plan.look_before) look(*position, *word);
  for (const Plan::Write& each : plan.writes) write(*each.terminator, each.then_look, *word);
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg({word}, dominators);
  return plan.writes.size();
}

}  // namespace heddle::pass
