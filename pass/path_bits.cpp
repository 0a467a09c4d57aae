// SPDX-License-Identifier: Apache-2.0
#include "pass/path_bits.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "abi/recording.h"
#include "pass/path_plan.h"
#include "pass/rare_hook.h"
#include "pass/ways.h"

namespace heddle::pass {
namespace {

// The number of the successor that is about to be taken, as a value.
llvm::Value* choice(llvm::Instruction& terminator, llvm::IRBuilder<>& builder) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator))
    return builder.CreateZExt(branch->getCondition(), builder.getInt64Ty());
  auto& jump = llvm::cast<llvm::IndirectBrInst>(terminator);
  llvm::Value* chosen = builder.getInt64(0);
  uint64_t number = 0;
  for (llvm::BasicBlock* successor : distinct_successors(terminator))
    chosen = builder.CreateSelect(builder.CreateICmpEQ(jump.getAddress(), llvm::BlockAddress::get(successor)),
                                  builder.getInt64(number++), chosen);
  return chosen;
}

}  // namespace

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
      llvm::ConstantStruct::get(
          type, {llvm::ConstantInt::get(i64_, HEDDLE_PATH_EMPTY), llvm::ConstantAggregateZero::get(rest)}),
      "__heddle_no_path");
  nobody->setAlignment(llvm::Align(alignof(HeddlePath)));
  // In the executable itself, so that one instruction reaches it.
  path_ = new llvm::GlobalVariable(module, pointer_, false, llvm::GlobalValue::ExternalLinkage, nobody, "__heddle_path",
                                   nullptr, llvm::GlobalValue::LocalExecTLSModel);
  auto* address = llvm::Function::Create(llvm::FunctionType::get(pointer_, false), llvm::GlobalValue::ExternalLinkage,
                                         "__heddle_path_address", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", address));
  builder.CreateRet(builder.CreateThreadLocalAddress(path_));
  full_ = rare_hook(module, "__heddle_path_full", i64_, {i64_});
}

llvm::Value* PathBits::record(llvm::IRBuilder<>& builder) {
  return builder.CreateLoad(pointer_, builder.CreateThreadLocalAddress(path_));
}

void PathBits::take(llvm::Instruction& position, const Place& place) {
  llvm::IRBuilder<> builder(&position);
  llvm::Value* address = record(builder);
  builder.CreateStore(address, place.record);
  builder.CreateStore(builder.CreateLoad(i64_, address), place.word);
}

void PathBits::store(llvm::Instruction& position, const Place& place) {
  llvm::IRBuilder<> builder(&position);
  builder.CreateStore(builder.CreateLoad(i64_, place.word), builder.CreateLoad(pointer_, place.record));
}

// Into a chunk; a thread that had no record may have one after that.
void PathBits::empty(llvm::IRBuilder<>& builder, const Place& place) {
  builder.CreateStore(call_rare_hook(builder, full_, {builder.CreateLoad(i64_, place.word)}), place.word);
  builder.CreateStore(record(builder), place.record);
}

void PathBits::shift_in(llvm::Instruction& position, unsigned width, llvm::Value* bits, const Place& place) {
  llvm::IRBuilder<> builder(&position);
  if (width > HEDDLE_PATH_SPARE) empty(builder, place);  // only an empty word has room for so many
  builder.CreateStore(builder.CreateOr(builder.CreateShl(builder.CreateLoad(i64_, place.word), width), bits),
                      place.word);
}

// A way that leaves its loop gets a block of its own if it needs one. If the other one is shared with
// others inside the loop, its bit is added before the branch, and this way changes it.
bool PathBits::write_on_ways(llvm::BranchInst& branch, const Place& place, const llvm::LoopInfo& loops) {
  llvm::BasicBlock* ways[] = {branch.getSuccessor(0), branch.getSuccessor(1)};
  if (ways[0] == ways[1]) return false;
  const llvm::Loop* loop = loops.getLoopFor(branch.getParent());
  const auto is_own = [&](llvm::BasicBlock* way) {
    return way->getSinglePredecessor() || (loop && !loop->contains(way));
  };
  const bool own[] = {is_own(ways[0]), is_own(ways[1])};
  if (!own[0] && !own[1]) return false;
  const bool both = own[0] && own[1];
  const auto begin_of = [&](llvm::BasicBlock* way) -> llvm::Instruction& {
    return way->getSinglePredecessor() ? *way->getFirstInsertionPt() : *edge_block(branch, *way).getTerminator();
  };
  if (!both) shift_in(branch, 1, llvm::ConstantInt::get(i64_, own[0] ? 0 : 1), place);
  for (const unsigned i : {0u, 1u}) {
    if (both) shift_in(begin_of(ways[i]), 1, llvm::ConstantInt::get(i64_, 1 - i), place);
    if (both || !own[i]) continue;
    llvm::IRBuilder<> builder(&begin_of(ways[i]));
    builder.CreateStore(builder.CreateXor(builder.CreateLoad(i64_, place.word), 1), place.word);
  }
  return true;
}

void PathBits::write(llvm::Instruction& terminator, bool then_look, const Place& place, llvm::LoopInfo& loops) {
  const unsigned width = width_of(terminator);
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator); branch && write_on_ways(*branch, place, loops))
    return;
  if (!llvm::isa<llvm::SwitchInst>(terminator)) {
    llvm::IRBuilder<> builder(&terminator);
    shift_in(terminator, width, choice(terminator, builder), place);
    if (then_look) look(terminator, place, loops);
    return;
  }
  uint64_t number = 0;
  for (llvm::BasicBlock* successor : distinct_successors(terminator)) {
    llvm::Instruction& end = *edge_block(terminator, *successor).getTerminator();
    shift_in(end, width, llvm::ConstantInt::get(i64_, number++), place);
    if (then_look) look(end, place, loops);
  }
}

void PathBits::look(llvm::Instruction& position, const Place& place, llvm::LoopInfo& loops) {
  llvm::IRBuilder<> builder(&position);
  llvm::Value* is_full = builder.CreateICmpUGE(builder.CreateLoad(i64_, place.word),
                                               llvm::ConstantInt::get(i64_, 1ull << (64 - HEDDLE_PATH_SPARE)));
  builder.SetInsertPoint(
      llvm::SplitBlockAndInsertIfThen(is_full, position.getIterator(), false, rarely_, nullptr, &loops));
  empty(builder, place);
}

uint64_t PathBits::add(llvm::Function& function, const std::function<bool(const llvm::CallBase&)>& may_record) {
  const PathPlan plan = plan_path(function, may_record);
  if (plan.writes.empty()) return 0;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  const Place place = {builder.CreateAlloca(i64_), builder.CreateAlloca(pointer_)};
  take(*entry.getFirstNonPHIOrDbgOrAlloca(), place);
  // In this order they stand at one and the same place.
  for (llvm::Instruction* position : plan.take_before) take(*position, place);
  for (llvm::Instruction* position : plan.look_before) look(*position, place, loops);
  for (llvm::Instruction* position : plan.store_before) store(*position, place);
  for (const PathPlan::Write& each : plan.writes) write(*each.terminator, each.then_look, place, loops);
  dominators.recalculate(function);
  llvm::PromoteMemToReg({place.word, place.record}, dominators);
  return plan.writes.size();
}

}  // namespace heddle::pass
