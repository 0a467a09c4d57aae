// SPDX-License-Identifier: Apache-2.0
#include "solve/terms.h"

#include <utility>

#include "base/check.h"
#include "solve/bits.h"

namespace heddle::solve {
namespace {

bool is_comparison(Op op) { return op >= Op::kEq && op <= Op::kSle; }
bool commutes(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kAnd || op == Op::kOr || op == Op::kXor || op == Op::kEq;
}

}  // namespace

std::size_t Terms::NodeHash::operator()(const Node& node) const {
  std::uint64_t hash =
      static_cast<std::uint64_t>(node.op) | std::uint64_t{node.width} << 8 | std::uint64_t{node.low} << 16;
  for (const std::uint64_t part : {std::uint64_t{node.operand[0].id}, std::uint64_t{node.operand[1].id},
                                   std::uint64_t{node.operand[2].id}, node.value})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return hash;
}

Term Terms::make(Node node) {
  const auto [place, is_new] = known_.try_emplace(node, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return {place->second};
}

Term Terms::constant(unsigned width, std::uint64_t value) {
  HEDDLE_CHECK(width >= 1 && width <= kMostBits, "a term has 1 to 64 bits");
  Node node;
  node.width = static_cast<std::uint8_t>(width);
  node.value = node.observed = value & mask(width);
  return make(node);
}

Term Terms::symbol(unsigned width, std::string name, std::uint64_t observed) {
  HEDDLE_CHECK(width >= 1 && width <= kMostBits, "a term has 1 to 64 bits");
  Node node;
  node.op = Op::kSymbol;
  node.width = static_cast<std::uint8_t>(width);
  node.value = names_.size();
  node.observed = observed & mask(width);
  names_.push_back(std::move(name));
  return make(node);
}

// Computes what is constant; of the rest, what follows from one operand alone.
Term Terms::simplified(Node node) {
  bool all_constant = true;
  std::uint64_t values[3] = {};
  for (unsigned i = 0; i < node.operands; ++i) {
    all_constant = all_constant && is_constant(node.operand[i]);
    values[i] = observed(node.operand[i]);
  }
  node.observed = compute(node, {values, node.operands});
  if (all_constant) return constant(node.width, node.observed);
  const Term first = node.operand[0], second = node.operand[1];
  const auto is = [&](Term term, std::uint64_t value) {
    return is_constant(term) && this->value(term) == (value & mask(width(term)));
  };
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  switch (node.op) {
    case Op::kAdd:
    case Op::kOr:
    case Op::kXor:
      if (is(first, 0)) return second;
      if (is(second, 0)) return first;
      if (node.op == Op::kOr && first == second) return first;
      if (node.op == Op::kXor && first == second) return constant(node.width, 0);
      if (node.op == Op::kOr && (is(first, kOnes) || is(second, kOnes))) return constant(node.width, kOnes);
      break;
    case Op::kSub:
      if (is(second, 0)) return first;
      if (first == second) return constant(node.width, 0);
      break;
    case Op::kShl:
    case Op::kLshr:
    case Op::kAshr:
      if (is(second, 0)) return first;
      break;
    case Op::kMul:
      if (is(first, 1)) return second;
      if (is(second, 1)) return first;
      if (is(first, 0) || is(second, 0)) return constant(node.width, 0);
      break;
    case Op::kAnd:
      if (is(first, kOnes) || first == second) return second;
      if (is(second, kOnes)) return first;
      if (is(first, 0) || is(second, 0)) return constant(node.width, 0);
      break;
    case Op::kEq:
    case Op::kUle:
    case Op::kSle:
      if (first == second) return truth(true);
      if (node.op == Op::kEq && width(first) == 1 && is(first, 1)) return second;
      if (node.op == Op::kEq && width(first) == 1 && is(second, 1)) return first;
      break;
    case Op::kUlt:
    case Op::kSlt:
      if (first == second) return truth(false);
      break;
    case Op::kNot:
      if (this->node(first).op == Op::kNot) return this->node(first).operand[0];
      break;
    case Op::kIte:
      if (is(first, 1)) return second;
      if (is(first, 0)) return node.operand[2];
      if (second == node.operand[2]) return second;
      break;
    case Op::kExtract: {
      if (node.width == width(first)) return first;
      const Node inner = this->node(first);
      if (inner.op == Op::kExtract) return extract(inner.operand[0], inner.low + node.low, node.width);
      if (inner.op == Op::kConcat) {
        const unsigned low_width = width(inner.operand[1]);
        if (node.low >= low_width) return extract(inner.operand[0], node.low - low_width, node.width);
        if (node.low + node.width <= low_width) return extract(inner.operand[1], node.low, node.width);
      }
      if ((inner.op == Op::kZext || inner.op == Op::kSext) && node.low + node.width <= width(inner.operand[0]))
        return extract(inner.operand[0], node.low, node.width);
      break;
    }
    case Op::kConcat: {  // two neighbouring pieces of one term are a piece of it
      const Node high = this->node(first), low = this->node(second);
      if (high.op == Op::kExtract && low.op == Op::kExtract && high.operand[0] == low.operand[0] &&
          high.low == low.low + low.width)
        return extract(high.operand[0], low.low, node.width);
      break;
    }
    default: break;
  }
  return make(node);
}

Term Terms::apply(Op op, Term first, Term second) {
  HEDDLE_CHECK(op > Op::kSymbol && op < Op::kExtract && op != Op::kNot && op != Op::kIte,
               "an operation of two operands");
  const bool joins = op == Op::kConcat;
  HEDDLE_CHECK(joins || width(first) == width(second), "operands of equal width");
  HEDDLE_CHECK(!joins || width(first) + width(second) <= kMostBits, "a term has at most 64 bits");
  if (commutes(op) && second < first) std::swap(first, second);
  Node node;
  node.op = op;
  node.operands = 2;
  node.operand[0] = first;
  node.operand[1] = second;
  node.width = static_cast<std::uint8_t>(is_comparison(op) ? 1 : joins ? width(first) + width(second) : width(first));
  return simplified(node);
}

Term Terms::complement(Term operand) {
  Node node;
  node.op = Op::kNot;
  node.operands = 1;
  node.operand[0] = operand;
  node.width = static_cast<std::uint8_t>(width(operand));
  return simplified(node);
}

Term Terms::ite(Term condition, Term yes, Term no) {
  HEDDLE_CHECK(width(condition) == 1 && width(yes) == width(no), "a condition of one bit, and equal widths");
  Node node;
  node.op = Op::kIte;
  node.operands = 3;
  node.operand[0] = condition;
  node.operand[1] = yes;
  node.operand[2] = no;
  node.width = static_cast<std::uint8_t>(width(yes));
  return simplified(node);
}

Term Terms::extract(Term operand, unsigned low, unsigned width) {
  HEDDLE_CHECK(width >= 1 && low + width <= this->width(operand), "the bits are there");
  Node node;
  node.op = Op::kExtract;
  node.operands = 1;
  node.operand[0] = operand;
  node.low = static_cast<std::uint8_t>(low);
  node.width = static_cast<std::uint8_t>(width);
  return simplified(node);
}

Term Terms::extend(Op op, Term operand, unsigned width) {
  HEDDLE_CHECK(op == Op::kZext || op == Op::kSext, "an extension");
  HEDDLE_CHECK(width >= this->width(operand) && width <= kMostBits, "an extension is no narrower, of at most 64 bits");
  if (width == this->width(operand)) return operand;
  Node node;
  node.op = op;
  node.operands = 1;
  node.operand[0] = operand;
  node.width = static_cast<std::uint8_t>(width);
  return simplified(node);
}

}  // namespace heddle::solve
