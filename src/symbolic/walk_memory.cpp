// SPDX-License-Identifier: Apache-2.0
//
// Accesses to memory. What others can see is an operation of the trace: a read
// gives a symbol. What nobody else sees is in the walker's own memory.
#include <llvm/IR/IntrinsicInst.h>

#include "symbolic/walk_state.h"

namespace heddle::symbolic {
namespace {

bool is_one_access(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

Operation operation_of(WalkState& state, const std::optional<HeddleRecord>& record, uint8_t kind,
                       llvm::AtomicOrdering order, uint32_t site, const llvm::Value* pointer, unsigned size) {
  Operation operation;
  operation.kind = kind;
  operation.order = build::atomic_order(order);
  operation.site = site;
  operation.index = static_cast<uint32_t>(state.trace.operations.size());
  operation.size = size;
  const std::optional<Term> address = state.term_of(pointer);
  if (!address && state.is_detour) state.stick("an address that is not known");
  operation.where = address;
  if (address) state.hold(*address, site, Condition::Kind::kAddress);
  if (record) {
    operation.order = record->order;
    operation.flags = record->flags;
    operation.index = record->index;
    operation.value = record->value;
    operation.value2 = record->value2;
    operation.address = state.terms.constant(64, record->address);
  } else if (address) {
    operation.address = state.is_detour ? state.terms.constant(64, state.terms.observed(*address)) : *address;
  }
  return operation;
}

// The term, of the width of the access, that is written there.
Term stored(WalkState& state, const llvm::Value* value, unsigned size, uint64_t observed) {
  const std::optional<Term> term = state.term_of(value);
  if (!term && state.is_detour) state.stick("a value that is not known");
  return term ? state.terms.extend(Op::kZext, *term, 8 * size) : state.terms.constant(8 * size, observed);
}

// Several accesses, or one that is no term: all as it was.
void access_as_it_was(WalkState& state, const llvm::Instruction& instruction) {
  if (state.is_detour) return state.stick("an access that is more than one value");
  state.hold_operands(instruction);
  for (const HeddleRecord& record : state.source.outside({.site = state.program.site(instruction)}))
    state.add_as_it_was(record);
}

void load(WalkState& state, const llvm::LoadInst& instruction, Register& result) {
  const uint32_t site = state.program.site(instruction);
  const llvm::Type* type = instruction.getType();
  const unsigned width = state.width_of(type);
  const uint64_t size = state.layout().getTypeStoreSize(instruction.getType());
  if (state.program.is_private.contains(&instruction)) {
    const std::optional<uint64_t> address = state.address_of(instruction.getPointerOperand(), site);
    const std::optional<uint64_t> observed = state.told(instruction);
    if (state.is_detour && !(address && width && state.memory.knows(*address, width))) {
      state.stick("a variable of its own whose value is not known");
      return;
    }
    if (address && width) result = {state.memory.read(*address, width, observed.value_or(0))};
    return;
  }
  if (width == 0 || !is_one_access(size)) return access_as_it_was(state, instruction);
  const std::optional<HeddleRecord> record = state.source.access(site);
  if (!record && (state.source.is_lost() || state.source.has_ended())) return;
  Operation operation = operation_of(state, record, HEDDLE_LOAD, instruction.getOrdering(), site,
                                     instruction.getPointerOperand(), static_cast<unsigned>(size));
  if (state.is_stuck) return;
  const Term symbol = state.new_symbol(8 * static_cast<unsigned>(size), record ? record->value : 0);
  operation.read = symbol;
  state.trace.operations.push_back(operation);
  result = {state.terms.extract(symbol, 0, width)};
}

void store(WalkState& state, const llvm::StoreInst& instruction) {
  const uint32_t site = state.program.site(instruction);
  const llvm::Value* value = instruction.getValueOperand();
  const unsigned width = state.width_of(value->getType());
  const uint64_t size = state.layout().getTypeStoreSize(value->getType());
  if (state.program.is_private.contains(&instruction)) {
    const std::optional<uint64_t> address = state.address_of(instruction.getPointerOperand(), site);
    const std::optional<Term> term = state.term_of(value);
    if (!address || !term) state.hold_operands(instruction);
    if (!address) return state.memory.forget();
    state.memory.forget(*address, size);
    if (term) state.memory.write(*address, *term);
    return;
  }
  if (width == 0 || !is_one_access(size)) return access_as_it_was(state, instruction);
  const std::optional<HeddleRecord> record = state.source.access(site);
  if (!record && (state.source.is_lost() || state.source.has_ended())) return;
  Operation operation = operation_of(state, record, HEDDLE_STORE, instruction.getOrdering(), site,
                                     instruction.getPointerOperand(), static_cast<unsigned>(size));
  operation.written = stored(state, value, static_cast<unsigned>(size), record ? record->value : 0);
  if (!state.is_stuck) state.trace.operations.push_back(operation);
}

std::optional<Term> updated(WalkState& state, const llvm::AtomicRMWInst& instruction, Term old, Term operand) {
  using Kind = llvm::AtomicRMWInst;
  solve::Terms& terms = state.terms;
  switch (instruction.getOperation()) {
    case Kind::Xchg: return operand;
    case Kind::Add: return terms.add(old, operand);
    case Kind::Sub: return terms.apply(Op::kSub, old, operand);
    case Kind::And: return terms.apply(Op::kAnd, old, operand);
    case Kind::Nand: return terms.complement(terms.apply(Op::kAnd, old, operand));
    case Kind::Or: return terms.apply(Op::kOr, old, operand);
    case Kind::Xor: return terms.apply(Op::kXor, old, operand);
    case Kind::Max: return terms.ite(terms.apply(Op::kSlt, old, operand), operand, old);
    case Kind::Min: return terms.ite(terms.apply(Op::kSlt, old, operand), old, operand);
    case Kind::UMax: return terms.ite(terms.apply(Op::kUlt, old, operand), operand, old);
    case Kind::UMin: return terms.ite(terms.apply(Op::kUlt, old, operand), old, operand);
    default: return std::nullopt;
  }
}

void update(WalkState& state, const llvm::AtomicRMWInst& instruction, Register& result) {
  const uint32_t site = state.program.site(instruction);
  const unsigned width = state.width_of(instruction.getType());
  const uint64_t size = state.layout().getTypeStoreSize(instruction.getType());
  if (width != 8 * size || !is_one_access(size)) return access_as_it_was(state, instruction);
  const std::optional<HeddleRecord> record = state.source.access(site);
  if (!record && (state.source.is_lost() || state.source.has_ended())) return;
  Operation operation = operation_of(state, record, HEDDLE_RMW, instruction.getOrdering(), site,
                                     instruction.getPointerOperand(), static_cast<unsigned>(size));
  if (state.is_stuck) return;
  const Term old = state.new_symbol(width, record ? record->value : 0);
  const std::optional<Term> operand = state.term_of(instruction.getValOperand());
  operation.read = old;
  operation.written = operand ? updated(state, instruction, old, *operand) : std::nullopt;
  if (!operation.written) {
    state.hold_operands(instruction);
    state.hold(old, site);
    operation.written = state.terms.constant(width, record ? record->value2 : 0);
  }
  if (state.is_stuck) return;
  state.trace.operations.push_back(operation);
  result = {old};
}

// Whether it exchanges stays as it was, if that is known.
void exchange(WalkState& state, const llvm::AtomicCmpXchgInst& instruction, Register& result) {
  if (state.is_detour) return state.stick("a compare-and-exchange");
  const uint32_t site = state.program.site(instruction);
  const unsigned width = state.width_of(instruction.getCompareOperand()->getType());
  const uint64_t size = state.layout().getTypeStoreSize(instruction.getCompareOperand()->getType());
  if (width != 8 * size || !is_one_access(size)) return access_as_it_was(state, instruction);
  const std::optional<HeddleRecord> record = state.source.access(site);
  if (!record && (state.source.is_lost() || state.source.has_ended())) return;
  Operation operation = operation_of(state, record, HEDDLE_CAS, instruction.getSuccessOrdering(), site,
                                     instruction.getPointerOperand(), static_cast<unsigned>(size));
  const Term old = state.new_symbol(width, record ? record->value : 0);
  const std::optional<Term> expected = state.term_of(instruction.getCompareOperand());
  if (!record) {
    const std::optional<Term> desired = state.term_of(instruction.getNewValOperand());
    operation.read = old;
    if (expected && desired) {
      operation.exchanged = state.terms.eq(old, *expected);
      operation.written = state.terms.ite(*operation.exchanged, *desired, old);
      result = {old, operation.exchanged};
    }
    state.trace.operations.push_back(operation);
    return;
  }
  const bool exchanged = !(record->flags & HEDDLE_FLAG_FAILED);
  operation.read = old;
  if (expected) {
    const Term equal = state.terms.eq(old, *expected);
    state.require(exchanged ? equal : state.terms.complement(equal), site, Condition::Kind::kBranch);
  } else {
    state.hold(old, site);
  }
  if (exchanged)
    operation.written = stored(state, instruction.getNewValOperand(), static_cast<unsigned>(size), record->value2);
  state.trace.operations.push_back(operation);
  result = {old, state.terms.truth(exchanged)};
}

void use_range(WalkState& state, const llvm::MemIntrinsic& range) {
  if (state.is_detour) return state.stick("a range of memory that is copied or filled");
  const uint32_t site = state.program.site(range);
  const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&range);
  const bool to_private = state.program.is_private.contains(&range);
  const bool from_private = transfer && state.program.reads_private.contains(&range);
  state.hold_operands(range);
  const std::optional<Term> to = state.term_of(range.getDest()), size = state.term_of(range.getLength());
  const std::optional<Term> from = transfer ? state.term_of(transfer->getSource()) : std::nullopt;
  if (to_private && from_private && to && from && size) {
    state.memory.copy(state.terms.observed(*to), state.terms.observed(*from), state.terms.observed(*size));
    return;
  }
  if (from_private) state.hold_everything(site);  // its bytes are written as they were
  if (to_private && to && size) {
    state.memory.forget(state.terms.observed(*to), state.terms.observed(*size));
  } else if (to_private) {
    state.memory.forget();
  }
  if (to_private && (!transfer || from_private)) return;
  for (const HeddleRecord& record : state.source.outside({.site = site})) state.add_as_it_was(record);
}

}  // namespace

bool access_memory(WalkState& state, const llvm::Instruction& instruction, Register& result) {
  if (const auto* local = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load(state, *local, result);
  } else if (const auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store(state, *write);
  } else if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    update(state, *rmw, result);
  } else if (const auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    exchange(state, *cas, result);
  } else if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    use_range(state, *range);
  } else if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    if (fence->getSyncScopeID() == llvm::SyncScope::SingleThread) return true;
    const uint32_t site = state.program.site(*fence);
    if (state.is_detour) state.stick("a fence");
    if (const auto record = state.source.access(site)) state.add_as_it_was(*record);
  } else {
    return false;
  }
  return true;
}

}  // namespace heddle::symbolic
