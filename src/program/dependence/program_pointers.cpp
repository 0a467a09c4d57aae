// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/program_pointers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace heddle::program {

ProgramPointers::ProgramPointers(const llvm::Module& module, bool open)
    : layout_(module.getDataLayout()), locations_(layout_), solver_(locations_) {
  nothing_ = solver_.add_node();
  outside_ = solver_.add_node();
  exceptions_ = solver_.add_node();
  thread_results_ = solver_.add_node();
  key_values_ = solver_.add_node();
  library_ = locations_.add(ObjectKind::kLibrary, nullptr, nullptr, kUnknownSize);
  arguments_ = locations_.add(ObjectKind::kLibrary, nullptr, nullptr, kUnknownSize);
  errno_ = locations_.add(ObjectKind::kGlobal, nullptr, nullptr, 4);
  open_to_outside(module, open);
  add_globals(module);
  for (const llvm::Function& function : module) add_function(function);
  do {
    solver_.solve();
  } while (bind_lost_calls());
}

const LocationSet& ProgramPointers::points_to(const llvm::Value* value) const {
  const auto found = nodes_.find(value);
  return solver_.points_to(found == nodes_.end() ? nothing_ : found->second);
}

llvm::ArrayRef<const llvm::Function*> ProgramPointers::callees(const llvm::CallBase& call) const {
  const auto found = callees_.find(&call);
  return found == callees_.end() ? llvm::ArrayRef<const llvm::Function*>() : found->second;
}

PointerNode ProgramPointers::address_node(LocationId location) {
  const PointerNode made = solver_.add_node();
  solver_.add_address(made, location);
  return made;
}

ObjectId ProgramPointers::object_of(const llvm::GlobalObject* global) {
  const auto found = globals_.find(global);
  if (found != globals_.end()) return found->second;
  llvm::Type* type = global->getValueType();
  const bool function = llvm::isa<llvm::Function>(global);
  const uint64_t size = function || !type->isSized() ? kUnknownSize : layout_.getTypeAllocSize(type).getFixedValue();
  // In constants elements are told apart: tables of virtual functions are arrays.
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
  const bool folds = variable && !variable->isConstant();
  return globals_[global] = locations_.add(function ? ObjectKind::kFunction : ObjectKind::kGlobal, global,
                                           folds ? type : nullptr, size);
}

PointerNode ProgramPointers::node(const llvm::Value* value) {
  const auto found = nodes_.find(value);
  if (found != nodes_.end()) return found->second;
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  const PointerNode made = constant ? constant_node(constant) : solver_.add_node();
  return nodes_[value] = made;
}

PointerNode ProgramPointers::constant_node(const llvm::Constant* constant) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalObject>(constant))
    return address_node(locations_.at(object_of(global), 0));
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(constant)) return node(alias->getAliasee());
  if (const auto* ifunc = llvm::dyn_cast<llvm::GlobalIFunc>(constant)) return node(ifunc->getResolver());
  if (constant->getNumOperands() == 0) return nothing_;
  if (constant->getType()->isPointerTy()) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(constant->getType()), 0);
    const llvm::Value* base = constant->stripAndAccumulateConstantOffsets(layout_, offset, true);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalObject>(base))
      return address_node(locations_.at(object_of(global), offset.getSExtValue()));
  }
  const PointerNode made = solver_.add_node();
  const bool plain = llvm::isa<llvm::ConstantAggregate>(constant) ||
                     (llvm::isa<llvm::ConstantExpr>(constant) && llvm::cast<llvm::ConstantExpr>(constant)->isCast());
  for (const llvm::Use& operand : constant->operands())
    plain ? solver_.add_copy(node(operand), made) : solver_.add_move(node(operand), made, Step::kUnknown, 0);
  return made;
}

PointerNode ProgramPointers::result_of(const llvm::Function* function) {
  const auto found = results_.find(function);
  return found != results_.end() ? found->second : results_[function] = solver_.add_node();
}

void ProgramPointers::add_initializer(ObjectId object, const llvm::Constant* value, uint64_t offset) {
  if (value->getNumOperands() == 0 && !llvm::isa<llvm::GlobalValue>(value)) return;
  if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(value)) {
    const llvm::StructLayout* fields = layout_.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i)
      add_initializer(object, structure->getOperand(i), offset + fields->getElementOffset(i));
    return;
  }
  if (llvm::isa<llvm::ConstantArray>(value)) {
    const uint64_t size = layout_.getTypeAllocSize(llvm::cast<llvm::ArrayType>(value->getType())->getElementType());
    for (unsigned i = 0; i < value->getNumOperands(); ++i)
      add_initializer(object, llvm::cast<llvm::Constant>(value->getOperand(i)), offset + i * size);
    return;
  }
  solver_.add_store(address_node(locations_.at(object, static_cast<int64_t>(offset))), node(value),
                    layout_.getTypeStoreSize(value->getType()));
}

void ProgramPointers::add_globals(const llvm::Module& module) {
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with("llvm.")) continue;
    if (global.hasInitializer()) {
      add_initializer(object_of(&global), global.getInitializer(), 0);
    } else {
      solver_.add_copy(node(&global), outside_);
    }
  }
  // The C library's memory points to itself, and so do the arguments of main.
  for (const ObjectId object : {library_, arguments_}) {
    const PointerNode memory = address_node(locations_.anywhere(object));
    solver_.add_store(memory, memory, 8);
  }
}

// Everything outside may hold what everything outside points to, and so on.
void ProgramPointers::open_to_outside(const llvm::Module& module, bool open) {
  solver_.add_address(outside_, locations_.anywhere(library_));
  solver_.add_move(outside_, outside_, Step::kUnknown, 0);
  solver_.add_load(outside_, outside_, kUnknownSize);
  solver_.add_store(outside_, outside_, kUnknownSize);
  solver_.add_call(outside_, [this](const llvm::Function* function) {
    if (!function || !known_callbacks_.insert({nullptr, function}).second) return;
    called_from_outside_.push_back(function);
    for (const llvm::Argument& argument : function->args()) solver_.add_copy(outside_, node(&argument));
    solver_.add_copy(result_of(function), outside_);
  });
  if (!open) return;
  for (const llvm::GlobalObject& global : module.global_objects())
    if (!global.hasLocalLinkage() && !global.isDeclaration()) solver_.add_copy(node(&global), outside_);
}

void ProgramPointers::add_function(const llvm::Function& function) {
  if (function.isDeclaration()) return;
  if (function.isVarArg()) unnamed_[&function] = locations_.add(ObjectKind::kLocal, nullptr, nullptr, kUnknownSize);
  for (const llvm::Argument& argument : function.args()) {
    if (!argument.hasByValAttr()) continue;
    llvm::Type* type = argument.getParamByValType();
    const ObjectId copy = locations_.add(ObjectKind::kLocal, &argument, type, layout_.getTypeAllocSize(type));
    copies_[&argument] = copy;
    solver_.add_address(node(&argument), locations_.at(copy, 0));
  }
  if (function.getName() == "main")
    for (const llvm::Argument& argument : function.args())
      solver_.add_address(node(&argument), locations_.anywhere(arguments_));
  for (const llvm::Instruction& instruction : llvm::instructions(function)) add_instruction(instruction);
}

void ProgramPointers::mix_operands(const llvm::User& user, PointerNode result) {
  for (const llvm::Use& operand : user.operands())
    if (const PointerNode from = node(operand); from != nothing_) solver_.add_move(from, result, Step::kUnknown, 0);
}

void ProgramPointers::copy_contents(PointerNode to, PointerNode from, uint64_t size) {
  constexpr uint64_t kPiece = 8, kLargest = 128;
  if (size > kLargest) {
    const PointerNode held = solver_.add_node();
    solver_.add_load(from, held, size);
    solver_.add_store(to, held, size);
    return;
  }
  for (uint64_t offset = 0; offset < size; offset += kPiece) {
    PointerNode source = from, target = to;
    if (offset > 0) {
      source = solver_.add_node();
      target = solver_.add_node();
      solver_.add_move(from, source, Step::kField, static_cast<int64_t>(offset));
      solver_.add_move(to, target, Step::kField, static_cast<int64_t>(offset));
    }
    const PointerNode held = solver_.add_node();
    solver_.add_load(source, held, std::min(kPiece, size - offset));
    solver_.add_store(target, held, std::min(kPiece, size - offset));
  }
}

void ProgramPointers::add_instruction(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return add_call(*call);
  if (const auto* pointer = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return add_element_pointer(*pointer);
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    const uint64_t one = layout_.getTypeAllocSize(local->getAllocatedType());
    const bool array = local->isArrayAllocation();
    const ObjectId object = locations_.add(ObjectKind::kLocal, local, array ? nullptr : local->getAllocatedType(),
                                           array ? kUnknownSize : one);
    solver_.add_address(node(local), locations_.at(object, 0));
  } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    solver_.add_load(node(load->getPointerOperand()), node(load), layout_.getTypeStoreSize(load->getType()));
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const PointerNode value = node(store->getValueOperand());
    const uint64_t size = layout_.getTypeStoreSize(store->getValueOperand()->getType());
    if (value != nothing_) solver_.add_store(node(store->getPointerOperand()), value, size);
  } else if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    const uint64_t size = layout_.getTypeStoreSize(rmw->getType());
    const PointerNode value = solver_.add_node();
    const bool exchange = rmw->getOperation() == llvm::AtomicRMWInst::Xchg;
    solver_.add_load(node(rmw->getPointerOperand()), node(rmw), size);
    exchange ? solver_.add_copy(node(rmw->getValOperand()), value)
             : solver_.add_move(node(rmw->getValOperand()), value, Step::kUnknown, 0);
    if (!exchange) solver_.add_move(node(rmw), value, Step::kUnknown, 0);
    solver_.add_store(node(rmw->getPointerOperand()), value, size);
  } else if (const auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    const uint64_t size = layout_.getTypeStoreSize(cas->getNewValOperand()->getType());
    solver_.add_load(node(cas->getPointerOperand()), node(cas), size);
    solver_.add_store(node(cas->getPointerOperand()), node(cas->getNewValOperand()), size);
  } else if (const auto* back = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    if (back->getReturnValue()) solver_.add_copy(node(back->getReturnValue()), result_of(instruction.getFunction()));
  } else if (llvm::isa<llvm::LandingPadInst>(instruction)) {
    solver_.add_copy(exceptions_, node(&instruction));
  } else if (llvm::isa<llvm::CmpInst>(instruction) || instruction.getType()->isVoidTy()) {
    return;
  } else if (llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::VAArgInst>(instruction)) {
    if (instruction.getType()->isFPOrFPVectorTy()) return;
    if (const auto* argument = llvm::dyn_cast<llvm::VAArgInst>(&instruction)) {
      const PointerNode area = solver_.add_node();
      solver_.add_load(node(argument->getPointerOperand()), area, kUnknownSize);
      solver_.add_load(area, node(argument), kUnknownSize);
    }
    mix_operands(instruction, node(&instruction));
  } else {
    // Casts, phi, select, freeze, parts of structures and vectors.
    for (const llvm::Use& operand : instruction.operands())
      if (const PointerNode from = node(operand); from != nothing_ && !llvm::isa<llvm::BasicBlock>(operand))
        solver_.add_copy(from, node(&instruction));
  }
}

void ProgramPointers::add_element_pointer(const llvm::GetElementPtrInst& pointer) {
  PointerNode at = node(pointer.getPointerOperand());
  const auto move = [&](Step step, int64_t distance) {
    if (distance == 0 && step != Step::kIndex && step != Step::kUnknown) return;
    const PointerNode next = solver_.add_node();
    solver_.add_move(at, next, step, distance);
    at = next;
  };
  const llvm::Type* in = nullptr;  // what the index is one of; null: the first index is one of anything
  for (auto index = llvm::gep_type_begin(pointer), end = llvm::gep_type_end(pointer); index != end; ++index) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(index.getOperand());
    if (llvm::StructType* structure = index.getStructTypeOrNull()) {
      move(Step::kField,
           static_cast<int64_t>(
               layout_.getStructLayout(structure)->getElementOffset(number->getZExtValue()).getFixedValue()));
    } else {
      const auto stride = static_cast<int64_t>(index.getSequentialElementStride(layout_).getFixedValue());
      // Arrays of one or no element are a way to write "as many as there is room for".
      const auto* array = in ? llvm::dyn_cast<llvm::ArrayType>(in) : nullptr;
      const bool typed = array && array->getNumElements() > 1;
      if (number) {
        move(typed ? Step::kElement : Step::kBy, number->getSExtValue() * stride);
      } else {
        move(typed ? Step::kIndex : Step::kUnknown, stride);
      }
    }
    in = index.getIndexedType();
  }
  solver_.add_copy(at, node(&pointer));
}

}  // namespace heddle::program
