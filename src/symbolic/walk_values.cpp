// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, comparisons, conversions and addresses as terms.
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Operator.h>

#include "symbolic/walk_state.h"

namespace heddle::symbolic {
namespace {

std::optional<Op> operation_of(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add: return Op::kAdd;
    case llvm::Instruction::Sub: return Op::kSub;
    case llvm::Instruction::Mul: return Op::kMul;
    case llvm::Instruction::UDiv: return Op::kUdiv;
    case llvm::Instruction::SDiv: return Op::kSdiv;
    case llvm::Instruction::URem: return Op::kUrem;
    case llvm::Instruction::SRem: return Op::kSrem;
    case llvm::Instruction::And: return Op::kAnd;
    case llvm::Instruction::Or: return Op::kOr;
    case llvm::Instruction::Xor: return Op::kXor;
    case llvm::Instruction::Shl: return Op::kShl;
    case llvm::Instruction::LShr: return Op::kLshr;
    case llvm::Instruction::AShr: return Op::kAshr;
    default: return std::nullopt;
  }
}

// What the program must not do is not done: then the operands are others than these.
void require_defined(WalkState& state, Op op, Term first, Term second, uint32_t site) {
  solve::Terms& terms = state.terms;
  const unsigned width = terms.width(first);
  const auto require = [&](Term holds) { state.require(holds, site, Condition::Kind::kDefined); };
  if (op == Op::kShl || op == Op::kLshr || op == Op::kAshr)
    require(terms.apply(Op::kUlt, second, terms.constant(width, width)));
  if (op < Op::kUdiv || op > Op::kSrem) return;
  require(terms.complement(terms.eq(second, terms.constant(width, 0))));
  if (op != Op::kSdiv && op != Op::kSrem) return;
  const Term lowest = terms.constant(width, uint64_t{1} << (width - 1));
  require(terms.complement(terms.both(terms.eq(first, lowest), terms.eq(second, terms.constant(width, ~uint64_t{0})))));
}

std::optional<Term> binary(WalkState& state, const llvm::BinaryOperator& instruction) {
  const std::optional<Op> op = operation_of(instruction.getOpcode());
  const auto first = state.term_of(instruction.getOperand(0)), second = state.term_of(instruction.getOperand(1));
  if (!op || !first || !second) return std::nullopt;
  // A shift by the width of one bit could not be written down as a number of that width.
  if (state.terms.width(*first) == 1 && *op >= Op::kShl && *op <= Op::kAshr) return std::nullopt;
  require_defined(state, *op, *first, *second, state.program.site(instruction));
  return state.terms.apply(*op, *first, *second);
}

Term compare(solve::Terms& terms, llvm::CmpInst::Predicate predicate, Term first, Term second) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return terms.eq(first, second);
    case llvm::CmpInst::ICMP_NE: return terms.complement(terms.eq(first, second));
    case llvm::CmpInst::ICMP_ULT: return terms.apply(Op::kUlt, first, second);
    case llvm::CmpInst::ICMP_ULE: return terms.apply(Op::kUle, first, second);
    case llvm::CmpInst::ICMP_UGT: return terms.apply(Op::kUlt, second, first);
    case llvm::CmpInst::ICMP_UGE: return terms.apply(Op::kUle, second, first);
    case llvm::CmpInst::ICMP_SLT: return terms.apply(Op::kSlt, first, second);
    case llvm::CmpInst::ICMP_SLE: return terms.apply(Op::kSle, first, second);
    case llvm::CmpInst::ICMP_SGT: return terms.apply(Op::kSlt, second, first);
    default: return terms.apply(Op::kSle, second, first);
  }
}

std::optional<Term> convert(WalkState& state, const llvm::CastInst& cast) {
  const unsigned width = state.width_of(cast.getType());
  const std::optional<Term> operand = state.term_of(cast.getOperand(0));
  if (!operand || width == 0) return std::nullopt;
  const unsigned own = state.terms.width(*operand);
  switch (cast.getOpcode()) {
    case llvm::Instruction::SExt: return state.terms.extend(Op::kSext, *operand, width);
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
      return own >= width ? state.terms.extract(*operand, 0, width) : state.terms.extend(Op::kZext, *operand, width);
    default: return std::nullopt;
  }
}

std::optional<Term> address(WalkState& state, const llvm::GEPOperator& instruction) {
  std::optional<Term> sum = state.term_of(instruction.getPointerOperand());
  llvm::MapVector<llvm::Value*, llvm::APInt> scaled;
  llvm::APInt offset(64, 0);
  if (!sum || !instruction.collectOffset(state.layout(), 64, scaled, offset)) return std::nullopt;
  sum = state.terms.add(*sum, state.terms.constant(64, offset.getZExtValue()));
  for (const auto& [index, scale] : scaled) {
    std::optional<Term> term = state.term_of(index);
    if (!term) return std::nullopt;
    term = state.terms.extend(Op::kSext, *term, 64);
    sum = state.terms.add(*sum, state.terms.apply(Op::kMul, *term, state.terms.constant(64, scale.getZExtValue())));
  }
  return sum;
}

// Where the parts of an element begin in a structure or an array.
unsigned first_part(const WalkState& state, const llvm::Type* type, llvm::ArrayRef<unsigned> indices,
                    const llvm::Type*& element) {
  unsigned first = 0;
  for (const unsigned index : indices) {
    if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i) first += state.parts_of(structure->getElementType(i));
      type = structure->getElementType(index);
    } else {
      const llvm::Type* each = llvm::cast<llvm::ArrayType>(type)->getElementType();
      first += index * state.parts_of(each);
      type = each;
    }
  }
  element = type;
  return first;
}

bool take_apart(WalkState& state, const llvm::Instruction& instruction, Register& result) {
  const llvm::Type* element = nullptr;
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const unsigned first = first_part(state, extract->getAggregateOperand()->getType(), extract->getIndices(), element);
    const Register whole = state.register_of(extract->getAggregateOperand());
    const unsigned parts = state.parts_of(element);
    if (first + parts > whole.size()) return false;
    result.assign(whole.begin() + first, whole.begin() + first + parts);
    return true;
  }
  const auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
  const unsigned first = first_part(state, insert.getType(), insert.getIndices(), element);
  const Register part = state.register_of(insert.getInsertedValueOperand());
  result = state.register_of(insert.getAggregateOperand());
  if (first + part.size() > result.size()) return false;
  std::copy(part.begin(), part.end(), result.begin() + first);
  return true;
}

}  // namespace

bool compute(WalkState& state, const llvm::Instruction& instruction, Register& result) {
  if (llvm::isa<llvm::ExtractValueInst>(instruction) || llvm::isa<llvm::InsertValueInst>(instruction))
    return take_apart(state, instruction, result);
  if (llvm::isa<llvm::FreezeInst>(instruction)) {
    result = state.register_of(instruction.getOperand(0));
    return true;
  }
  std::optional<Term> term;
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    term = binary(state, *operation);
  } else if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    const auto first = state.term_of(comparison->getOperand(0)), second = state.term_of(comparison->getOperand(1));
    if (first && second) term = compare(state.terms, comparison->getPredicate(), *first, *second);
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    term = convert(state, *cast);
  } else if (const auto* pointer = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    term = address(state, *pointer);
  } else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const auto condition = state.term_of(select->getCondition());
    const auto yes = state.term_of(select->getTrueValue()), no = state.term_of(select->getFalseValue());
    if (condition && yes && no) term = state.terms.ite(*condition, *yes, *no);
  }
  if (term) result = {term};
  return term.has_value();
}

bool compute_intrinsic(WalkState& state, const llvm::CallBase& call, Register& result) {
  using Id = llvm::Intrinsic::ID;
  const Id id = call.getIntrinsicID();
  if (call.arg_size() == 0) return false;
  const auto first = state.term_of(call.getArgOperand(0));
  const auto second = call.arg_size() > 1 ? state.term_of(call.getArgOperand(1)) : std::nullopt;
  if (!first) return false;
  solve::Terms& terms = state.terms;
  const unsigned width = terms.width(*first);
  if (id == llvm::Intrinsic::expect) {
    result = {first};
    return true;
  }
  if (id == llvm::Intrinsic::abs) {
    const Term zero = terms.constant(width, 0);
    result = {terms.ite(terms.apply(Op::kSlt, *first, zero), terms.apply(Op::kSub, zero, *first), *first)};
    return true;
  }
  if (!second || terms.width(*second) != width) return false;
  switch (id) {
    case llvm::Intrinsic::smax:
      result = {terms.ite(terms.apply(Op::kSlt, *first, *second), *second, *first)};
      return true;
    case llvm::Intrinsic::smin:
      result = {terms.ite(terms.apply(Op::kSlt, *first, *second), *first, *second)};
      return true;
    case llvm::Intrinsic::umax:
      result = {terms.ite(terms.apply(Op::kUlt, *first, *second), *second, *first)};
      return true;
    case llvm::Intrinsic::umin:
      result = {terms.ite(terms.apply(Op::kUlt, *first, *second), *first, *second)};
      return true;
    case llvm::Intrinsic::uadd_with_overflow: {
      const Term sum = terms.add(*first, *second);
      result = {sum, terms.apply(Op::kUlt, sum, *first)};
      return true;
    }
    case llvm::Intrinsic::usub_with_overflow:
      result = {terms.apply(Op::kSub, *first, *second), terms.apply(Op::kUlt, *first, *second)};
      return true;
    default: return false;
  }
}

}  // namespace heddle::symbolic
