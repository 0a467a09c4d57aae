// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores, atomics and fences.
#include "abi/hooks.h"
#include "pass/atomic_order.h"
#include "pass/rewriter.h"

namespace heddle::pass {
namespace {

uint32_t order_of(llvm::AtomicOrdering order, bool is_volatile) {
  return atomic_order(order) | (is_volatile ? HEDDLE_VOLATILE_ACCESS : 0);
}

bool one_access(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

// Types whose values are passed in an integer register of the same size.
bool is_scalar(const llvm::Type* type) {
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() ||
         type->isBFloatTy();
}

llvm::Value* to_integer(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::IntegerType* integer) {
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, integer);
  if (type->isIntegerTy()) return builder.CreateZExt(value, integer);
  return builder.CreateBitCast(value, integer);
}

llvm::Value* from_integer(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  if (type->isPointerTy()) return builder.CreateIntToPtr(value, type);
  if (type->isIntegerTy()) return builder.CreateTrunc(value, type);
  return builder.CreateBitCast(value, type);
}

std::string sized(const char* name, uint64_t size) { return name + std::to_string(size); }

bool left_out(Rewriter& rewriter, const llvm::Value* address, bool load) {
  const bool is_private = rewriter.escape.is_private(address, load);
  ++(is_private ? rewriter.report.private_accesses : rewriter.report.accesses);
  return is_private;
}

uint32_t rmw_code(llvm::AtomicRMWInst::BinOp operation) {
  using Op = llvm::AtomicRMWInst;
  switch (operation) {
    case Op::Xchg: return HEDDLE_RMW_EXCHANGE;
    case Op::Add: return HEDDLE_RMW_ADD;
    case Op::Sub: return HEDDLE_RMW_SUB;
    case Op::And: return HEDDLE_RMW_AND;
    case Op::Nand: return HEDDLE_RMW_NAND;
    case Op::Or: return HEDDLE_RMW_OR;
    case Op::Xor: return HEDDLE_RMW_XOR;
    case Op::Max: return HEDDLE_RMW_MAX;
    case Op::Min: return HEDDLE_RMW_MIN;
    case Op::UMax: return HEDDLE_RMW_UMAX;
    case Op::UMin: return HEDDLE_RMW_UMIN;
    case Op::FAdd: return HEDDLE_RMW_FADD;
    case Op::FSub: return HEDDLE_RMW_FSUB;
    case Op::FMax: return HEDDLE_RMW_FMAX;
    case Op::FMin: return HEDDLE_RMW_FMIN;
    default: return UINT32_MAX;
  }
}

// A value in memory of its own, as the 16-byte hooks want it.
llvm::Value* in_memory(Rewriter& rewriter, llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Function& function) {
  llvm::AllocaInst* place = rewriter.scratch(function, value->getType());
  builder.CreateStore(value, place);
  return place;
}

}  // namespace

void rewrite_load(Rewriter& r, llvm::LoadInst& load) {
  if (left_out(r, load.getPointerOperand(), true) && !load.isAtomic()) return;
  llvm::Type* type = load.getType();
  const uint64_t size = r.layout.getTypeStoreSize(type);
  llvm::IRBuilder<> builder(&load);
  llvm::Value* address = load.getPointerOperand();
  llvm::Constant* site = r.site(load, address);
  llvm::Constant* order = r.number(order_of(load.getOrdering(), load.isVolatile()));
  llvm::Value* result;
  if (one_access(size) && is_scalar(type)) {
    llvm::IntegerType* integer = builder.getIntNTy(size * 8);
    auto hook = r.hook(sized("__heddle_load", size), integer, {r.pointer, r.i32, r.i32});
    result = from_integer(builder, builder.CreateCall(hook, {address, order, site}), type);
  } else if (load.isAtomic()) {
    if (size != 16) return r.fail("an atomic load of " + std::to_string(size) + " bytes");
    llvm::AllocaInst* place = r.scratch(*load.getFunction(), type);
    builder.CreateCall(r.hook("__heddle_load16", r.nothing, {r.pointer, r.pointer, r.i32, r.i32}),
                       {address, place, order, site});
    result = builder.CreateLoad(type, place);
  } else {
    llvm::AllocaInst* place = r.scratch(*load.getFunction(), type);
    builder.CreateCall(r.hook("__heddle_read", r.nothing, {r.pointer, r.pointer, r.i64, r.i32}),
                       {address, place, builder.getInt64(size), site});
    result = builder.CreateLoad(type, place);
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

void rewrite_store(Rewriter& r, llvm::StoreInst& store) {
  if (left_out(r, store.getPointerOperand(), false) && !store.isAtomic()) return;
  llvm::Value* value = store.getValueOperand();
  llvm::Type* type = value->getType();
  const uint64_t size = r.layout.getTypeStoreSize(type);
  llvm::IRBuilder<> builder(&store);
  llvm::Value* address = store.getPointerOperand();
  llvm::Constant* site = r.site(store, address);
  llvm::Constant* order = r.number(order_of(store.getOrdering(), store.isVolatile()));
  if (one_access(size) && is_scalar(type)) {
    llvm::IntegerType* integer = builder.getIntNTy(size * 8);
    auto hook = r.hook(sized("__heddle_store", size), r.nothing, {r.pointer, integer, r.i32, r.i32});
    builder.CreateCall(hook, {address, to_integer(builder, value, integer), order, site});
  } else if (store.isAtomic()) {
    if (size != 16) return r.fail("an atomic store of " + std::to_string(size) + " bytes");
    builder.CreateCall(r.hook("__heddle_store16", r.nothing, {r.pointer, r.pointer, r.i32, r.i32}),
                       {address, in_memory(r, builder, value, *store.getFunction()), order, site});
  } else {
    builder.CreateCall(r.hook("__heddle_write", r.nothing, {r.pointer, r.pointer, r.i64, r.i32}),
                       {address, in_memory(r, builder, value, *store.getFunction()), builder.getInt64(size), site});
  }
  store.eraseFromParent();
}

void rewrite_rmw(Rewriter& r, llvm::AtomicRMWInst& rmw) {
  ++r.report.accesses;
  llvm::Type* type = rmw.getType();
  const uint64_t size = r.layout.getTypeStoreSize(type);
  const uint32_t operation = rmw_code(rmw.getOperation());
  if (operation == UINT32_MAX || (!one_access(size) && size != 16))
    return r.fail("an atomic operation without a model");
  llvm::IRBuilder<> builder(&rmw);
  llvm::Value* address = rmw.getPointerOperand();
  llvm::Constant* site = r.site(rmw, address);
  llvm::Constant* order = r.number(order_of(rmw.getOrdering(), rmw.isVolatile()));
  llvm::Value* old;
  if (size == 16) {
    llvm::AllocaInst* result = r.scratch(*rmw.getFunction(), type);
    builder.CreateCall(r.hook("__heddle_rmw16", r.nothing, {r.pointer, r.pointer, r.pointer, r.i32, r.i32, r.i32}),
                       {address, in_memory(r, builder, rmw.getValOperand(), *rmw.getFunction()), result,
                        r.number(operation), order, site});
    old = builder.CreateLoad(type, result);
  } else {
    llvm::IntegerType* integer = builder.getIntNTy(size * 8);
    llvm::Value* operand = builder.CreateZExt(to_integer(builder, rmw.getValOperand(), integer), r.i64);
    old = builder.CreateCall(r.hook("__heddle_rmw", r.i64, {r.pointer, r.i64, r.i32, r.i32, r.i32, r.i32}),
                             {address, operand, r.number(size), r.number(operation), order, site});
    old = from_integer(builder, builder.CreateTrunc(old, integer), type);
  }
  rmw.replaceAllUsesWith(old);
  rmw.eraseFromParent();
}

void rewrite_cas(Rewriter& r, llvm::AtomicCmpXchgInst& cas) {
  ++r.report.accesses;
  llvm::Value* expected = cas.getCompareOperand();
  llvm::Type* type = expected->getType();
  const uint64_t size = r.layout.getTypeStoreSize(type);
  if (!one_access(size) && size != 16) return r.fail("a compare-and-exchange of this size");
  llvm::IRBuilder<> builder(&cas);
  llvm::Value* address = cas.getPointerOperand();
  llvm::Constant* site = r.site(cas, address);
  llvm::Constant* success = r.number(order_of(cas.getSuccessOrdering(), cas.isVolatile()));
  llvm::Constant* failure = r.number(order_of(cas.getFailureOrdering(), cas.isVolatile()));
  llvm::Value *old, *equal;
  if (size == 16) {
    llvm::Function& function = *cas.getFunction();
    llvm::AllocaInst* result = r.scratch(function, type);
    builder.CreateCall(
        r.hook("__heddle_cas16", r.nothing, {r.pointer, r.pointer, r.pointer, r.pointer, r.i32, r.i32, r.i32}),
        {address, in_memory(r, builder, expected, function), in_memory(r, builder, cas.getNewValOperand(), function),
         result, success, failure, site});
    old = builder.CreateLoad(type, result);
    equal = builder.CreateICmpEQ(old, expected);
  } else {
    llvm::IntegerType* integer = builder.getIntNTy(size * 8);
    llvm::Value* expected_bits = to_integer(builder, expected, integer);
    llvm::Value* desired_bits = to_integer(builder, cas.getNewValOperand(), integer);
    llvm::Value* bits =
        builder.CreateCall(r.hook("__heddle_cas", r.i64, {r.pointer, r.i64, r.i64, r.i32, r.i32, r.i32, r.i32}),
                           {address, builder.CreateZExt(expected_bits, r.i64), builder.CreateZExt(desired_bits, r.i64),
                            r.number(size), success, failure, site});
    bits = builder.CreateTrunc(bits, integer);
    equal = builder.CreateICmpEQ(bits, expected_bits);
    old = from_integer(builder, bits, type);
  }
  llvm::Value* pair = llvm::PoisonValue::get(cas.getType());
  pair = builder.CreateInsertValue(pair, old, 0);
  pair = builder.CreateInsertValue(pair, equal, 1);
  cas.replaceAllUsesWith(pair);
  cas.eraseFromParent();
}

void rewrite_fence(Rewriter& r, llvm::FenceInst& fence) {
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;  // orders the compiler only
  llvm::IRBuilder<> builder(&fence);
  builder.CreateCall(r.hook("__heddle_fence", r.nothing, {r.i32, r.i32}),
                     {r.number(atomic_order(fence.getOrdering())), r.site(fence)});
  fence.eraseFromParent();
}

}  // namespace heddle::pass
