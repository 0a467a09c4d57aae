// SPDX-License-Identifier: Apache-2.0
//
// Calls: memory intrinsics, allocation, functions that the runtime models, and
// code without bitcode.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/hooks.h"
#include "pass/known_functions.h"
#include "pass/recorded_inputs.h"
#include "pass/rewriter.h"

namespace heddle::pass {
namespace {

// Where code that follows a returning call goes. An invoke needs a block of its
// own on the way to its normal destination.
llvm::Instruction* after(llvm::CallBase& call) {
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::BasicBlock* next = llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());
    return &*next->getFirstInsertionPt();
  }
  if (call.isTerminator()) return nullptr;
  return call.getNextNode();
}

bool returns(const llvm::CallBase& call) { return !call.doesNotReturn() && !call.isMustTailCall(); }

void rewrite_range(Rewriter& r, llvm::MemIntrinsic& range) {
  llvm::IRBuilder<> builder(&range);
  llvm::Value* to = range.getDest();
  llvm::Value* size = builder.CreateZExtOrTrunc(range.getLength(), r.i64);
  const bool to_private = r.escape.is_private(to, false);
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&range)) {
    ++(to_private ? r.report.private_accesses : r.report.accesses);
    if (to_private) return;
    builder.CreateCall(r.hook("__heddle_memset", r.nothing, {r.pointer, r.i32, r.i64, r.i32}),
                       {to, builder.CreateZExt(set->getValue(), r.i32), size, r.site(range, to)});
    range.eraseFromParent();
    return;
  }
  auto& transfer = llvm::cast<llvm::MemTransferInst>(range);
  llvm::Value* from = transfer.getSource();
  const bool from_private = r.escape.is_private(from, true);
  ++(to_private && from_private ? r.report.private_accesses : r.report.accesses);
  if (to_private && from_private) return;
  llvm::Constant* site = r.site(range, to_private ? from : to);
  if (to_private || from_private) {
    // The order of pieces of a moved range does not matter when one side is private.
    builder.CreateCall(
        r.hook(to_private ? "__heddle_read" : "__heddle_write", r.nothing, {r.pointer, r.pointer, r.i64, r.i32}),
        {to_private ? from : to, to_private ? to : from, size, site});
  } else {
    builder.CreateCall(r.hook(llvm::isa<llvm::MemMoveInst>(range) ? "__heddle_memmove" : "__heddle_memcpy", r.nothing,
                              {r.pointer, r.pointer, r.i64, r.i32}),
                       {to, from, size, site});
  }
  range.eraseFromParent();
}

enum class HeapCall { kNone, kMalloc, kCalloc, kAligned, kRealloc, kFree, kNew, kDelete, kPosixMemalign };

struct HeapFunction {
  HeapCall call = HeapCall::kNone;
  uint32_t allocator = HEDDLE_ALLOCATOR_MALLOC;
  int alignment = -1;  // argument that gives it
};

HeapFunction heap_function(llvm::StringRef name) {
  if (name == "malloc" || name == "valloc") return {HeapCall::kMalloc};
  if (name == "calloc") return {HeapCall::kCalloc};
  if (name == "aligned_alloc" || name == "memalign") return {HeapCall::kAligned, HEDDLE_ALLOCATOR_MALLOC, 0};
  if (name == "posix_memalign") return {HeapCall::kPosixMemalign};
  if (name == "realloc") return {HeapCall::kRealloc};
  if (name == "free" || name == "cfree") return {HeapCall::kFree};
  if (name == "_Znwm" || name == "_ZnwmRKSt9nothrow_t") return {HeapCall::kNew, HEDDLE_ALLOCATOR_NEW};
  if (name == "_Znam" || name == "_ZnamRKSt9nothrow_t") return {HeapCall::kNew, HEDDLE_ALLOCATOR_NEW_ARRAY};
  if (name == "_ZnwmSt11align_val_t" || name == "_ZnwmSt11align_val_tRKSt9nothrow_t")
    return {HeapCall::kNew, HEDDLE_ALLOCATOR_NEW, 1};
  if (name == "_ZnamSt11align_val_t" || name == "_ZnamSt11align_val_tRKSt9nothrow_t")
    return {HeapCall::kNew, HEDDLE_ALLOCATOR_NEW_ARRAY, 1};
  if (name.starts_with("_ZdlPv")) return {HeapCall::kDelete, HEDDLE_ALLOCATOR_NEW};
  if (name.starts_with("_ZdaPv")) return {HeapCall::kDelete, HEDDLE_ALLOCATOR_NEW_ARRAY};
  return {};
}

void replace_call(llvm::CallBase& call, llvm::Value* result) {
  if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    // The hooks do not throw: the unwind edge goes away.
    llvm::IRBuilder<>(invoke).CreateBr(invoke->getNormalDest());
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
  }
  call.eraseFromParent();
}

bool rewrite_heap_call(Rewriter& r, llvm::CallBase& call, llvm::StringRef name) {
  const HeapFunction heap = heap_function(name);
  if (heap.call == HeapCall::kNone) return false;
  llvm::IRBuilder<> builder(&call);
  llvm::Constant* site = r.site(call);
  auto allocate = r.hook("__heddle_allocate", r.pointer, {r.i64, r.i64, r.i32, r.i32, r.i32});
  llvm::Value* result = nullptr;
  switch (heap.call) {
    case HeapCall::kMalloc:
    case HeapCall::kNew:
    case HeapCall::kAligned: {
      llvm::Value* alignment = heap.alignment < 0 ? builder.getInt64(0) : call.getArgOperand(heap.alignment);
      llvm::Value* size = call.getArgOperand(heap.call == HeapCall::kAligned ? 1 : 0);
      const bool throws = heap.call == HeapCall::kNew && !name.contains("nothrow");
      const std::vector<llvm::Value*> arguments = {size, alignment, r.number(heap.allocator), r.number(throws), site};
      if (auto* invoke = throws ? llvm::dyn_cast<llvm::InvokeInst>(&call) : nullptr) {
        // std::bad_alloc goes where the exception of the original call would.
        llvm::InvokeInst* replacement =
            llvm::InvokeInst::Create(allocate, invoke->getNormalDest(), invoke->getUnwindDest(), arguments, "", &call);
        replacement->setDebugLoc(call.getDebugLoc());
        call.replaceAllUsesWith(replacement);
        call.eraseFromParent();
        return true;
      }
      result = builder.CreateCall(allocate, arguments);
      break;
    }
    case HeapCall::kCalloc: {
      llvm::Value* checked = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umul_with_overflow, call.getArgOperand(0),
                                                           call.getArgOperand(1));
      llvm::Value* size = builder.CreateSelect(builder.CreateExtractValue(checked, 1), builder.getInt64(-1),
                                               builder.CreateExtractValue(checked, 0));
      result = builder.CreateCall(allocate, {size, builder.getInt64(0), r.number(heap.allocator), r.number(0), site});
      break;
    }
    case HeapCall::kPosixMemalign: {
      auto hook = r.hook("__heddle_posix_memalign", r.i32, {r.pointer, r.i64, r.i64, r.i32});
      result = builder.CreateCall(hook, {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), site});
      break;
    }
    case HeapCall::kRealloc: {
      auto hook = r.hook("__heddle_reallocate", r.pointer, {r.pointer, r.i64, r.i32});
      result = builder.CreateCall(hook, {call.getArgOperand(0), call.getArgOperand(1), site});
      break;
    }
    default: {
      auto hook = r.hook("__heddle_release", r.nothing, {r.pointer, r.i32, r.i32});
      builder.CreateCall(hook, {call.getArgOperand(0), r.number(heap.allocator), site});
      break;
    }
  }
  replace_call(call, result);
  return true;
}

// "r0:1", "w0:2*1", "w1:=", "r0:s", "w0:8": see known_functions.h.
void add_range(Rewriter& r, llvm::CallBase& call, llvm::StringRef range, llvm::Instruction* where) {
  const bool write = range.consume_front("w");
  if (!write) range.consume_front("r");
  unsigned argument = 0;
  range.consumeInteger(10, argument);
  range.consume_front(":");
  if (argument >= call.arg_size() || !call.getArgOperand(argument)->getType()->isPointerTy()) return;
  llvm::Value* address = call.getArgOperand(argument);
  if (r.escape.is_private(address, !write)) return;
  llvm::IRBuilder<> builder(where);
  llvm::Constant* site = r.site(call);
  auto operand = [&](unsigned index) -> llvm::Value* {
    return builder.CreateZExtOrTrunc(call.getArgOperand(index), r.i64);
  };
  if (range == "s") {
    builder.CreateCall(
        r.hook(write ? "__heddle_string_written" : "__heddle_string_read", r.nothing, {r.pointer, r.i32}),
        {address, site});
    return;
  }
  llvm::Value* size;
  unsigned first = 0, second = 0;
  if (range == "=") {
    llvm::Value* result = builder.CreateSExt(&call, r.i64);
    size = builder.CreateSelect(builder.CreateICmpSGT(result, builder.getInt64(0)), result, builder.getInt64(0));
  } else {
    range.consumeInteger(10, first);
    if (range.consume_front("*")) {
      range.consumeInteger(10, second);
      size = builder.CreateMul(operand(first), operand(second));
    } else if (first < call.arg_size() && call.getArgOperand(first)->getType()->isIntegerTy()) {
      size = operand(first);
    } else {
      size = builder.getInt64(first);
    }
  }
  builder.CreateCall(
      r.hook(write ? "__heddle_range_written" : "__heddle_range_read", r.nothing, {r.pointer, r.i64, r.i32}),
      {address, size, site});
}

void add_ranges(Rewriter& r, llvm::CallBase& call, llvm::StringRef text, char which, llvm::Instruction* where) {
  llvm::SmallVector<llvm::StringRef, 4> ranges;
  text.split(ranges, ' ', -1, false);
  for (llvm::StringRef range : ranges)
    if (range.front() == which) add_range(r, call, range, where);
}

// Stores that are still in the thread's buffer must not be missed by what reads
// memory without a hook.
void settle_before(Rewriter& r, llvm::Instruction& instruction, llvm::Value* address, uint64_t size) {
  llvm::IRBuilder<> builder(&instruction);
  builder.CreateCall(r.hook("__heddle_settle", r.nothing, {r.pointer, r.i64}), {address, builder.getInt64(size)});
}

void settle_stack_before(Rewriter& r, llvm::Instruction& instruction) {
  llvm::IRBuilder<>(&instruction).CreateCall(r.hook("__heddle_settle_stack", r.nothing, {}));
}

// A pure function may look at memory that it is given; we do not know how much of it.
bool sees_memory(Rewriter& r, const llvm::CallBase& call) {
  for (const llvm::Use& argument : call.args())
    if (argument->getType()->isPointerTy() && !r.escape.is_private(argument, true)) return true;
  return false;
}

// The call copies arguments that are passed by value.
void settle_copies(Rewriter& r, llvm::CallBase& call) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (!call.isByValArgument(i) || r.escape.is_private(call.getArgOperand(i), true)) continue;
    settle_before(r, call, call.getArgOperand(i), r.layout.getTypeAllocSize(call.getParamByValType(i)));
  }
}

void name_place(Rewriter& r, llvm::CallBase& call) {
  llvm::IRBuilder<>(&call).CreateCall(r.hook("__heddle_place", r.nothing, {r.i32}), {r.site(call)});
}

void rewrite_pure_call(Rewriter& r, llvm::CallBase& call, llvm::StringRef name, const KnownFunction& known) {
  if (leaves_frames(name)) {
    settle_stack_before(r, call);
    if (name.starts_with("__cxa_")) name_place(r, call);  // should nobody catch it, this is where it came from
  } else if (sees_memory(r, call)) {
    settle_before(r, call, llvm::ConstantPointerNull::get(r.pointer), UINT64_MAX);
  }
  if (*known.ranges == 0) return;
  if (llvm::Instruction* next = returns(call) ? after(call) : nullptr) add_ranges(r, call, known.ranges, 'w', next);
}

void rewrite_outside_call(Rewriter& r, llvm::CallBase& call, llvm::StringRef name, const KnownFunction& known) {
  const bool unknown = known.effect == Effect::kUnknown;
  (unknown ? r.unknown : r.outside).insert(name.str());
  llvm::IRBuilder<> builder(&call);
  llvm::Constant* site = r.site(call);
  llvm::Constant* text = r.text(name);
  if (known.effect == Effect::kDescriptor) {
    builder.CreateCall(r.hook("__heddle_system_call", r.nothing, {r.i32}), {site});
  } else {
    builder.CreateCall(r.hook("__heddle_extern_begin", r.nothing, {r.pointer, r.i32}), {text, site});
  }
  add_ranges(r, call, known.ranges, 'r', &call);
  llvm::Instruction* next = returns(call) ? after(call) : nullptr;
  if (!next) return;
  add_ranges(r, call, known.ranges, 'w', next);
  if (unknown) {
    llvm::IRBuilder<> end(next);
    end.CreateCall(r.hook("__heddle_extern_end", r.nothing, {r.pointer, r.i32}), {text, site});
  }
}

void rewrite_indirect_call(Rewriter& r, llvm::CallBase& call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Constant* site = r.site(call);
  llvm::Value* outside =
      builder.CreateCall(r.hook("__heddle_indirect_begin", r.i32, {r.pointer, r.i32}), {call.getCalledOperand(), site});
  if (llvm::Instruction* next = returns(call) ? after(call) : nullptr)
    llvm::IRBuilder<>(next).CreateCall(r.hook("__heddle_indirect_end", r.nothing, {r.i32, r.i32}), {outside, site});
}

// Assembly that neither touches memory nor does anything is only an order for
// the compiler.
bool harmless(const llvm::CallBase& call) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (llvm::StringRef(assembly->getAsmString()).trim().empty()) return true;
  return !llvm::StringRef(assembly->getConstraintString()).contains("memory") &&
         !llvm::StringRef(assembly->getConstraintString()).contains("*m");
}

}  // namespace

void rewrite_call(Rewriter& r, llvm::CallBase& call) {
  if (auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) return rewrite_range(r, *range);
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::masked_load:
      case llvm::Intrinsic::masked_store:
      case llvm::Intrinsic::masked_gather:
      case llvm::Intrinsic::masked_scatter: return r.fail("a masked vector access");
      case llvm::Intrinsic::stackrestore: return settle_stack_before(r, *intrinsic);
      default: return;
    }
  }
  if (call.isInlineAsm()) {
    if (!harmless(call)) rewrite_outside_call(r, call, "inline assembly", {});
    return;
  }
  settle_copies(r, call);
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee) return rewrite_indirect_call(r, call);
  if (!callee->isDeclaration()) return;
  const llvm::StringRef name = callee->getName();
  if (rewrite_heap_call(r, call, name)) return;
  const KnownFunction known = known_function(name);
  switch (known.effect) {
    case Effect::kPure:
      if (asks_outside(name)) name_place(r, call);
      return rewrite_pure_call(r, call, name, known);
    case Effect::kModelled:
      if (name == "syscall" && !call.use_empty())
        llvm::IRBuilder<>(&call).CreateCall(r.hook("__heddle_learns_result", r.nothing, {}));
      return name_place(r, call);
    default: return rewrite_outside_call(r, call, name, known);
  }
}

void rewrite_resume(Rewriter& r, llvm::ResumeInst& resume) { settle_stack_before(r, resume); }

void announce_locals(Rewriter& r, llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*, 16> locals;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (r.site_number(*local) && r.escape.local_escapes(local)) locals.push_back(local);
  if (locals.empty()) return;
  auto begin = r.hook("__heddle_stack_object", r.nothing, {r.pointer, r.i64, r.i32});
  auto end = r.hook("__heddle_stack_object_end", r.nothing, {r.pointer, r.i64, r.i32});
  for (llvm::AllocaInst* local : locals) {
    llvm::IRBuilder<> builder(local->getNextNode());
    llvm::Value* size = builder.getInt64(r.layout.getTypeAllocSize(local->getAllocatedType()));
    if (local->isArrayAllocation())
      size = builder.CreateMul(size, builder.CreateZExtOrTrunc(local->getArraySize(), r.i64));
    llvm::Constant* site = r.site(*local, local);
    builder.CreateCall(begin, {local, size, site});
    for (llvm::BasicBlock& block : function) {
      if (!llvm::isa<llvm::ReturnInst>(block.getTerminator()) || block.getTerminatingMustTailCall()) continue;
      if (local->isStaticAlloca()) {
        llvm::IRBuilder<>(block.getTerminator()).CreateCall(end, {local, size, site});
      } else {
        settle_stack_before(r, *block.getTerminator());
      }
    }
  }
}

}  // namespace heddle::pass
