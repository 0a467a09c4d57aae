// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walk_state.h"

#include <llvm/IR/Operator.h>

#include <algorithm>

namespace heddle::symbolic {

unsigned WalkState::width_of(const llvm::Type* type) const {
  if (type->isIntegerTy()) return type->getIntegerBitWidth() <= 64 ? type->getIntegerBitWidth() : 0;
  if (type->isPointerTy() || type->isDoubleTy()) return 64;
  return type->isFloatTy() ? 32 : 0;
}

unsigned WalkState::parts_of(const llvm::Type* type) const {
  constexpr unsigned kMostParts = 64;
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    unsigned parts = 0;
    for (const llvm::Type* element : structure->elements()) parts += parts_of(element);
    return parts;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return array->getNumElements() > kMostParts
               ? 1
               : static_cast<unsigned>(array->getNumElements()) * parts_of(array->getElementType());
  return 1;
}

namespace {

std::optional<uint64_t> address_of_constant(const WalkState& state, const llvm::Constant* constant) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base =
      constant->stripAndAccumulateConstantOffsets(state.layout(), offset, /*AllowNonInbounds=*/true);
  if (llvm::isa<llvm::ConstantPointerNull>(base)) return offset.getZExtValue();
  const auto* global = llvm::dyn_cast<llvm::GlobalObject>(base);
  if (!global || global->isThreadLocal()) return std::nullopt;
  const auto known = state.program.globals.find(global->getName().str());
  if (known == state.program.globals.end()) return state.source.global(global->getName().str());
  return known->second + offset.getZExtValue();
}

std::optional<Term> term_of_constant(WalkState& state, const llvm::Constant* constant) {
  const unsigned width = state.width_of(constant->getType());
  if (width == 0) return std::nullopt;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant))
    return state.terms.constant(width, number->getZExtValue());
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant))
    return state.terms.constant(width, number->getValueAPF().bitcastToAPInt().getZExtValue());
  if (constant->isNullValue()) return state.terms.constant(width, 0);
  if (!constant->getType()->isPointerTy()) return std::nullopt;
  const std::optional<uint64_t> address = address_of_constant(state, constant);
  if (!address) return std::nullopt;
  return state.terms.constant(width, *address);
}

}  // namespace

Register WalkState::register_of(const llvm::Value* value) {
  const unsigned parts = parts_of(value->getType());
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (parts == 1) return {term_of_constant(*this, constant)};
    return Register(parts);
  }
  const auto known = frame().registers.find(value);
  return known == frame().registers.end() ? Register(parts) : known->second;
}

std::optional<Term> WalkState::term_of(const llvm::Value* value) {
  const Register parts = register_of(value);
  return parts.size() == 1 ? parts[0] : std::nullopt;
}

std::optional<uint64_t> WalkState::told(const llvm::Instruction& instruction) {
  if (!program.has_value.contains(&instruction)) return std::nullopt;
  if (!was_asked) answer = source.value(program.site(instruction));
  was_asked = true;
  return answer;
}

void WalkState::require(Term holds, uint32_t site, Condition::Kind kind) {
  if (terms.is_constant(holds)) return;
  trace.conditions.push_back({holds, static_cast<uint32_t>(trace.operations.size()), site, kind});
}

void WalkState::hold(Term term, uint32_t site, Condition::Kind kind) {
  if (terms.is_constant(term)) return;
  if (is_detour) {
    // Where an access goes may depend on what the run has read, not on what the detour reads.
    for (const Term symbol : terms.symbols(term))
      if (std::find(unheld.begin(), unheld.end(), symbol) != unheld.end()) stick("a pointer that is read there");
    if (kind != Condition::Kind::kAddress) stick("something that is not computed");
    if (is_stuck) return;
  }
  if (!source.knows_values()) {
    ++statistics.held;
    return;
  }
  require(terms.eq(term, terms.constant(terms.width(term), terms.observed(term))), site, kind);
}

void WalkState::hold_operands(const llvm::Instruction& instruction) {
  for (const llvm::Value* operand : instruction.operands()) {
    if (operand->getType()->isLabelTy() || operand->getType()->isMetadataTy()) continue;
    for (const std::optional<Term>& part : register_of(operand))
      if (part) hold(*part, program.site(instruction));
  }
}

void WalkState::hold_everything(uint32_t site) {
  for (const Term symbol : unheld) hold(symbol, site);
  unheld.clear();
}

std::optional<uint64_t> WalkState::address_of(const llvm::Value* pointer, uint32_t site) {
  const std::optional<Term> term = term_of(pointer);
  if (!term || (!source.knows_values() && !terms.is_constant(*term))) return std::nullopt;
  hold(*term, site, Condition::Kind::kAddress);
  return terms.observed(*term);
}

Term WalkState::new_symbol(unsigned width, uint64_t observed) {
  if (trace.operations.size() < fixed) return terms.constant(width, observed);
  const Term symbol = terms.symbol(width, trace.thread + ":" + std::to_string(trace.operations.size()), observed);
  unheld.push_back(symbol);
  return symbol;
}

void WalkState::add_as_it_was(const HeddleRecord& record) {
  Operation operation;
  operation.kind = record.kind;
  operation.order = record.order;
  operation.flags = record.flags;
  operation.index = record.index;
  operation.site = record.site;
  operation.address = terms.constant(64, record.address);
  operation.size = record.size;
  operation.value = record.value;
  operation.value2 = record.value2;
  const bool is_update = record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS;
  const bool fits = record.size >= 1 && record.size <= 8;
  std::optional<Term> symbol;
  if (fits && (record.kind == HEDDLE_LOAD || is_update))
    operation.read = symbol = new_symbol(8 * record.size, record.value);
  if (fits && (record.kind == HEDDLE_STORE || (is_update && !(record.flags & HEDDLE_FLAG_FAILED))))
    operation.written = terms.constant(8 * record.size, is_update ? record.value2 : record.value);
  trace.operations.push_back(operation);
  if (!symbol || terms.is_constant(*symbol)) return;
  hold(*symbol, record.site);
  unheld.pop_back();
  // The new value of an update is as it was only if the old one is.
  if (is_update && source.knows_values())
    trace.conditions.back().before_operation = static_cast<uint32_t>(trace.operations.size() - 1);
}

}  // namespace heddle::symbolic
