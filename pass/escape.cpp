// SPDX-License-Identifier: Apache-2.0
#include "pass/escape.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::pass {
namespace {

// A thread-local variable whose address is used for nothing but accesses.
bool only_accessed(const llvm::Value* pointer) {
  for (const llvm::User* user : pointer->users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() == pointer) return false;
      continue;
    }
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      if (intrinsic->getIntrinsicID() != llvm::Intrinsic::threadlocal_address || !only_accessed(intrinsic))
        return false;
      continue;
    }
    if (llvm::isa<llvm::GEPOperator>(user) && only_accessed(user)) continue;
    return false;
  }
  return true;
}

// Atomic operations are always recorded. What one of them reads was written by operations that are recorded too, so
// other accesses to that memory are not left out.
bool has_atomic_access(const llvm::Value* pointer, llvm::SmallPtrSetImpl<const llvm::Value*>& seen) {
  if (!seen.insert(pointer).second) return false;
  for (const llvm::User* user : pointer->users()) {
    if (const auto* access = llvm::dyn_cast<llvm::Instruction>(user); access && access->isAtomic()) return true;
    const bool is_same_object = llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::CastInst>(user) ||
                                llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user);
    if (is_same_object && has_atomic_access(user, seen)) return true;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user))
      if (intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address && has_atomic_access(user, seen))
        return true;
  }
  return false;
}

}  // namespace

bool Escape::stays(const llvm::Value* object) {
  const auto found = known_.find(object);
  if (found != known_.end()) return found->second;
  bool result = false;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(object)) {
    // errno and the tables of <ctype.h> are the thread's own.
    const llvm::Function* callee = call->getCalledFunction();
    result = callee && (callee->getName() == "__errno_location" || callee->getName().starts_with("__ctype_"));
  } else if (llvm::isa<llvm::AllocaInst>(object)) {
    result = !llvm::PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
  } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object)) {
    result = argument->hasByValAttr() && !llvm::PointerMayBeCaptured(object, true, true);
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    result = global->isThreadLocal() && global->hasLocalLinkage() && only_accessed(global);
  }
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  result = result && !has_atomic_access(object, seen);
  known_[object] = result;
  return result;
}

bool Escape::is_private(const llvm::Value* pointer, bool for_load) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  for (const llvm::Value* object : objects) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(object))
      if (intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) object = intrinsic->getArgOperand(0);
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (global && global->isConstant() && for_load) continue;
    if (!stays(object)) return false;
  }
  return !objects.empty();
}

}  // namespace heddle::pass
