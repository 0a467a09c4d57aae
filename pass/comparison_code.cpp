// SPDX-License-Identifier: Apache-2.0
#include "pass/comparison_code.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/comparison.h"
#include "pass/rare_hook.h"

namespace heddle::pass {
namespace {

llvm::GlobalVariable* thread_local_variable(llvm::Module& module, llvm::Type* type, const char* name) {
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                  llvm::GlobalValue::InitialExecTLSModel);
}

}  // namespace

ComparisonCode::ComparisonCode(llvm::Module& module)
    : module_(module),
      layout_(module.getDataLayout()),
      pointer_(llvm::PointerType::getUnqual(module.getContext())),
      i32_(llvm::Type::getInt32Ty(module.getContext())),
      i64_(llvm::Type::getInt64Ty(module.getContext())),
      cursor_(thread_local_variable(module, pointer_, "__heddle_cursor")),
      allocates_(thread_local_variable(module, i32_, "__heddle_program_allocates")),
      segment_(rare_hook(module, "__heddle_segment", pointer_, {i32_})),
      differs_(rare_hook(module, "__heddle_differs", i64_, {pointer_, i64_})),
      differs_at_(rare_hook(module, "__heddle_differs_at", i64_, {pointer_, i64_, pointer_, i32_})),
      rarely_(llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights()) {}

void ComparisonCode::begin_segment(uint32_t segment, llvm::Instruction* position) {
  llvm::IRBuilder<> builder(position);
  llvm::Value* words = builder.CreateLoad(pointer_, builder.CreateThreadLocalAddress(cursor_));
  llvm::Value* header = builder.CreateLoad(i64_, words);
  llvm::Value* other = builder.CreateICmpNE(header, llvm::ConstantInt::get(i64_, segment + uint64_t{1}));
  llvm::BasicBlock* before = position->getParent();
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(other, position->getIterator(), false, rarely_);
  builder.SetInsertPoint(then);
  llvm::Value* found = call_rare_hook(builder, segment_, {llvm::ConstantInt::get(i32_, segment)});
  builder.SetInsertPoint(position->getParent(), position->getParent()->begin());
  llvm::PHINode* merged = builder.CreatePHI(pointer_, 2);
  merged->addIncoming(words, before);
  merged->addIncoming(found, then->getParent());
  words_ = merged;
}

void ComparisonCode::end_segment(uint32_t slots, llvm::Instruction* position) {
  llvm::IRBuilder<> builder(position);
  builder.CreateStore(builder.CreateConstInBoundsGEP1_64(i64_, words_, uint64_t{slots} + 1),
                      builder.CreateThreadLocalAddress(cursor_));
}

uint32_t ComparisonCode::words_of(llvm::Type* type, const llvm::DataLayout& layout) {
  const llvm::Type* element = type->getScalarType();
  const bool plain =
      element->isIntegerTy() || element->isFloatingPointTy() || (type->isPointerTy() && !type->isVectorTy());
  if (!plain || llvm::isa<llvm::ScalableVectorType>(type)) return 0;
  const uint64_t bits = layout.getTypeSizeInBits(type);
  return bits <= 1024 ? static_cast<uint32_t>((bits + 63) / 64) : 0;
}

llvm::Value* ComparisonCode::compare_word(llvm::Value* word, uint32_t slot, llvm::Value* address, uint32_t size,
                                          llvm::Instruction* position) {
  llvm::IRBuilder<> builder(position);
  llvm::Value* place = builder.CreateConstInBoundsGEP1_64(i64_, words_, uint64_t{slot} + 1);
  llvm::Value* other = builder.CreateICmpNE(builder.CreateLoad(i64_, place), word);
  llvm::BasicBlock* before = position->getParent();
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(other, position->getIterator(), false, rarely_);
  builder.SetInsertPoint(then);
  llvm::Value* given =
      address ? call_rare_hook(builder, differs_at_, {place, word, address, llvm::ConstantInt::get(i32_, size)})
              : call_rare_hook(builder, differs_, {place, word});
  builder.SetInsertPoint(position->getParent(), position->getParent()->begin());
  llvm::PHINode* merged = builder.CreatePHI(i64_, 2);
  merged->addIncoming(word, before);
  merged->addIncoming(given, then->getParent());
  return merged;
}

llvm::Value* ComparisonCode::compare(llvm::Value* value, uint32_t first, Memory memory, llvm::Instruction* position) {
  llvm::Value* address = memory.address;
  llvm::Type* type = value->getType();
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(type));
  const auto bytes = static_cast<uint32_t>(layout_.getTypeStoreSize(type));
  llvm::IRBuilder<> builder(position);
  llvm::Type* integer = builder.getIntNTy(bits);
  llvm::Value* whole =
      type->isPointerTy() ? builder.CreatePtrToInt(value, integer) : builder.CreateBitCast(value, integer);
  llvm::Value* result = nullptr;
  const uint32_t words = words_of(type, layout_);
  for (uint32_t i = 0; i < words; ++i) {
    builder.SetInsertPoint(position);
    llvm::Value* word = i ? builder.CreateLShr(whole, uint64_t{64} * i) : whole;
    word = builder.CreateZExtOrTrunc(word, i64_);
    llvm::Value* at =
        address && i ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, uint64_t{8} * i) : address;
    const uint32_t size = std::min(bytes - 8 * i, 8u) | (memory.stores ? HEDDLE_STORED_BYTES : 0u);
    llvm::Value* given = compare_word(word, first + i, at, size, position);
    builder.SetInsertPoint(position);
    given = builder.CreateZExtOrTrunc(given, integer);
    if (i) given = builder.CreateShl(given, uint64_t{64} * i);
    result = result ? builder.CreateOr(result, given) : given;
  }
  builder.SetInsertPoint(position);
  return type->isPointerTy() ? builder.CreateIntToPtr(result, type) : builder.CreateBitCast(result, type);
}

llvm::Value* ComparisonCode::bytes_at(llvm::Value* address, llvm::Value* size, llvm::Value* count,
                                      llvm::Instruction* position) {
  llvm::IRBuilder<> builder(position);
  const auto number = [&](llvm::Value* value) -> llvm::Value* {
    return value ? builder.CreateZExtOrTrunc(value, i64_) : llvm::ConstantInt::getAllOnesValue(i64_);
  };
  auto callee =
      module_.getOrInsertFunction("__heddle_bytes", llvm::FunctionType::get(i64_, {pointer_, i64_, i64_}, false));
  return builder.CreateCall(callee, {address, number(size), count ? number(count) : llvm::ConstantInt::get(i64_, 1)});
}

void ComparisonCode::announce_allocation(llvm::Instruction* position) {
  llvm::IRBuilder<> builder(position);
  builder.CreateStore(llvm::ConstantInt::get(i32_, 1), builder.CreateThreadLocalAddress(allocates_));
}

}  // namespace heddle::pass
