// SPDX-License-Identifier: Apache-2.0
#include "pass/read_values.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

#include "abi/recording.h"
#include "pass/rare_hook.h"

namespace heddle::pass {
namespace {

const llvm::Value* read_from(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getPointerOperand();
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

const llvm::Type* type_read(const llvm::Instruction& instruction) {
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  return exchange ? exchange->getCompareOperand()->getType() : instruction.getType();
}

// As many bits as the memory that it takes.
bool is_whole(const llvm::Type* type) {
  if (type->isFloatTy() || type->isDoubleTy()) return true;
  return type->isIntegerTy(8) || type->isIntegerTy(16) || type->isIntegerTy(32) || type->isIntegerTy(64);
}

}  // namespace

bool is_recorded_read(const llvm::Instruction& instruction, Escape& escape) {
  const llvm::Value* place = read_from(instruction);
  return place && is_whole(type_read(instruction)) && !escape.is_private(place, true);
}

ReadValues::ReadValues(Rewriter& rewriter, PathBits& bits)
    : r_(rewriter), bits_(bits), rarely_(llvm::MDBuilder(rewriter.module.getContext()).createUnlikelyBranchWeights()) {
  full_ = rare_hook(r_.module, "__heddle_values_full", r_.nothing, {r_.i64});
}

std::vector<llvm::Instruction*> ReadValues::shared_reads(llvm::Function& function) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (is_recorded_read(instruction, r_.escape)) found.push_back(&instruction);
  return found;
}

void ReadValues::add(llvm::Instruction& read) {
  llvm::Instruction* position = read.getNextNode();
  llvm::IRBuilder<> builder(position);
  llvm::Value* value = &read;
  if (llvm::isa<llvm::AtomicCmpXchgInst>(read)) value = builder.CreateExtractValue(value, 0);
  if (value->getType()->isFloatingPointTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  const auto number = [&](uint64_t constant) { return llvm::ConstantInt::get(r_.i64, constant); };
  llvm::Value* check = builder.CreateLShr(
      builder.CreateMul(builder.CreateZExt(value, r_.i64), number(HEDDLE_VALUE_FACTOR)), 64 - HEDDLE_VALUE_BITS);
  llvm::Value* place =
      builder.CreateConstGEP1_64(builder.getInt8Ty(), bits_.record(builder), offsetof(HeddlePath, values));
  llvm::Value* word = builder.CreateOr(builder.CreateShl(builder.CreateLoad(r_.i64, place), HEDDLE_VALUE_BITS), check);
  builder.CreateStore(word, place);
  llvm::Value* is_full = builder.CreateICmpUGE(word, number(HEDDLE_VALUES_FULL));
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_full, position->getIterator(), false, rarely_));
  call_rare_hook(builder, full_, {word});
}

}  // namespace heddle::pass
