// SPDX-License-Identifier: Apache-2.0
#include "pass/recorded_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

#include "abi/recording.h"
#include "pass/known_functions.h"
#include "pass/recorded_inputs.h"

namespace heddle::pass {
namespace {

bool writes_bits(const llvm::Instruction& instruction) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) return branch->isConditional();
  return llvm::isa<llvm::SwitchInst>(instruction) || llvm::isa<llvm::IndirectBrInst>(instruction);
}

// Where code that follows a returning call goes.
llvm::Instruction* after(llvm::CallBase& call) {
  if (call.doesNotReturn() || call.isMustTailCall()) return nullptr;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    return &*llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest())->getFirstInsertionPt();
  return call.isTerminator() ? nullptr : call.getNextNode();
}

unsigned leading_number(llvm::StringRef& text) {
  unsigned number = 0;
  text.consumeInteger(10, number);
  return number;
}

}  // namespace

llvm::Function* called_function(const llvm::CallBase& call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

RecordedCalls::RecordedCalls(Rewriter& rewriter, PathBits& bits) : r_(rewriter), bits_(bits) {
  for (const llvm::Function& function : r_.module)
    if (!function.isDeclaration()) records_[&function] = false;
  // A function writes bits, or calls one that does.
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : r_.module) {
      if (function.isDeclaration() || records_[&function]) continue;
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!writes_bits(instruction) && !(call && may_record(*call))) continue;
        records_[&function] = changed = true;
        break;
      }
    }
  }
}

bool RecordedCalls::may_record(const llvm::CallBase& call) const {
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) return false;
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) return true;  // there may be bits from the first time
  const llvm::Function* callee = called_function(call);
  if (!callee) return true;
  return callee->isDeclaration() ? may_call_back(callee->getName()) : records_.lookup(callee);
}

void RecordedCalls::rewrite(llvm::CallBase& call) {
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) return;
  llvm::Function* callee = called_function(call);
  if (!callee) {
    llvm::IRBuilder<> builder(&call);
    note_place(call);
    builder.CreateCall(r_.hook("__heddle_note_target", r_.nothing, {r_.pointer, r_.i32}),
                       {call.getCalledOperand(), r_.site(call)});
    return;
  }
  if (!callee->isDeclaration()) return;
  const llvm::StringRef name = callee->getName();
  if (name == "vfork") {  // the child would go on in the parent's memory, and write its path there
    call.setCalledFunction(r_.module.getOrInsertFunction("fork", callee->getFunctionType()));
    return;
  }
  const llvm::StringRef pieces = recorded_input(name);
  if (known_function(name).effect == Effect::kUnknown && !pieces.empty() && pieces == "v")
    r_.unknown.insert(name.str());
  if (known_function(name).effect != Effect::kPure || !pieces.empty() || call.doesNotReturn()) note_place(call);
  if (!pieces.empty()) note_input(call, pieces);
}

void RecordedCalls::note_place(llvm::CallBase& call) {
  llvm::IRBuilder<> builder(&call);
  builder.CreateStore(r_.site(call), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), bits_.record(builder),
                                                                        offsetof(HeddlePath, site)));
}

void RecordedCalls::note_input(llvm::CallBase& call, llvm::StringRef pieces) {
  llvm::Type* type = call.getType();
  const bool has_value = type->isIntegerTy() ? type->getIntegerBitWidth() <= 64
                                             : type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
  // After bytes the result is there even if nobody looks at it: it says where those of the call end.
  const bool wants_value = has_value && (pieces != "v" || !call.use_empty());
  if (pieces == "v" && !wants_value) return;
  llvm::Instruction* next = after(call);
  if (!next) return;
  ++inputs_;
  llvm::IRBuilder<> builder(next);
  llvm::Value* fine = builder.getTrue();
  if (type->isPointerTy()) fine = builder.CreateIsNotNull(&call);
  if (type->isIntegerTy()) fine = builder.CreateICmpSGE(&call, llvm::ConstantInt::get(type, 0));
  llvm::SmallVector<llvm::StringRef, 4> each;
  pieces.split(each, ' ', -1, false);
  for (llvm::StringRef piece : each)
    if (piece != "v") note_piece(call, piece, fine, builder);
  if (!wants_value) return;
  llvm::Value* value = &call;
  if (type->isFloatingPointTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  value = type->isPointerTy() ? builder.CreatePtrToInt(value, r_.i64) : builder.CreateZExt(value, r_.i64);
  builder.CreateCall(r_.hook("__heddle_note_result", r_.nothing, {r_.i64, r_.i32}), {value, r_.site(call)});
}

void RecordedCalls::note_piece(llvm::CallBase& call, llvm::StringRef piece, llvm::Value* fine,
                               llvm::IRBuilder<>& builder) {
  const char kind = piece.front();
  piece = piece.drop_front();
  const unsigned number = kind == 'v' ? 0 : leading_number(piece);
  if (kind != 'v' && number >= call.arg_size()) return;
  const auto argument = [&](unsigned i) -> llvm::Value* {
    return builder.CreateZExtOrTrunc(call.getArgOperand(i), r_.i64);
  };
  const auto only_if_fine = [&](llvm::Value* address) {
    return builder.CreateSelect(fine, address, llvm::ConstantPointerNull::get(r_.pointer));
  };
  llvm::Constant* site = r_.site(call);
  if (kind == 'f') {
    std::vector<llvm::Value*> arguments = {site, builder.CreateSExt(&call, r_.i64)};
    for (unsigned i = number; i < call.arg_size(); ++i) arguments.push_back(call.getArgOperand(i));
    auto scanned = r_.module.getOrInsertFunction(
        "__heddle_note_scanned", llvm::FunctionType::get(r_.nothing, {r_.i32, r_.i64, r_.pointer}, true));
    builder.CreateCall(scanned, arguments);
    return;
  }
  llvm::Value* place = kind == 'v' ? &call : call.getArgOperand(number);
  if (!place->getType()->isPointerTy()) return;
  if (kind == 't') {
    builder.CreateCall(r_.hook("__heddle_note_text", r_.nothing, {r_.pointer, r_.i32}), {place, site});
    return;
  }
  if (kind == 'i') {
    builder.CreateCall(r_.hook("__heddle_note_stream", r_.nothing, {r_.pointer, r_.i32}), {place, site});
    return;
  }
  piece.consume_front(":");
  if (kind == 'd') {
    builder.CreateCall(r_.hook("__heddle_note_behind", r_.nothing, {r_.pointer, r_.i64, r_.i32}),
                       {place, builder.CreateSExtOrTrunc(&call, r_.i64), site});
    return;
  }
  if (piece.consume_front("s")) {
    llvm::Value* limit = piece.empty() ? builder.getInt64(~0ull) : argument(leading_number(piece));
    builder.CreateCall(r_.hook("__heddle_note_string", r_.nothing, {r_.pointer, r_.i64, r_.i32}),
                       {only_if_fine(place), limit, site});
    return;
  }
  llvm::Value* size = nullptr;
  if (piece.consume_front("=")) {
    size = builder.getInt64(leading_number(piece));
  } else if (piece.consume_front("r")) {
    size = builder.CreateSExtOrTrunc(&call, r_.i64);
  } else {
    size = argument(leading_number(piece));
  }
  if (piece.consume_front("*")) size = builder.CreateMul(size, argument(leading_number(piece)));
  if (piece.consume_front("x")) size = builder.CreateMul(size, builder.getInt64(leading_number(piece)));
  builder.CreateCall(r_.hook("__heddle_note_bytes", r_.nothing, {r_.pointer, r_.i64, r_.i32}),
                     {only_if_fine(place), size, site});
}

}  // namespace heddle::pass
