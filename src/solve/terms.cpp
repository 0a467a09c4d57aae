// SPDX-License-Identifier: Apache-2.0
#include "solve/terms.h"

#include <algorithm>
#include <optional>

#include "base/check.h"

namespace heddle::solve {
namespace {

std::uint64_t mask(unsigned width) { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

std::int64_t as_signed(std::uint64_t value, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

bool is_comparison(Op op) { return op >= Op::kEq && op <= Op::kSle; }
bool commutes(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kAnd || op == Op::kOr || op == Op::kXor || op == Op::kEq;
}

std::uint64_t divide(Op op, std::uint64_t first, std::uint64_t second, unsigned width) {
  const std::int64_t dividend = as_signed(first, width), divisor = as_signed(second, width);
  switch (op) {
    case Op::kUdiv: return second == 0 ? ~std::uint64_t{0} : first / second;
    case Op::kUrem: return second == 0 ? first : first % second;
    case Op::kSdiv:
      if (divisor == 0) return dividend < 0 ? 1 : ~std::uint64_t{0};
      return divisor == -1 ? 0 - first : static_cast<std::uint64_t>(dividend / divisor);
    default:
      if (divisor == 0) return first;
      return divisor == -1 ? 0 : static_cast<std::uint64_t>(dividend % divisor);
  }
}

std::uint64_t shift(Op op, std::uint64_t first, std::uint64_t second, unsigned width) {
  const unsigned distance = second >= width ? width : static_cast<unsigned>(second);
  if (op == Op::kAshr) return static_cast<std::uint64_t>(as_signed(first, width) >> std::min(distance, 63u));
  if (distance >= 64) return 0;
  return op == Op::kShl ? first << distance : first >> distance;
}

}  // namespace

std::size_t Terms::NodeHash::operator()(const Node& node) const {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op) | std::uint64_t{node.width} << 8 | std::uint64_t{node.low} << 16;
  for (const std::uint64_t part : {std::uint64_t{node.operand[0].id}, std::uint64_t{node.operand[1].id},
                                   std::uint64_t{node.operand[2].id}, node.value})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return hash;
}

std::uint64_t Terms::compute(const Node& node, std::span<const std::uint64_t> operands) const {
  const std::uint64_t first = operands[0], second = operands.size() > 1 ? operands[1] : 0;
  const unsigned width = this->width(node.operand[0]);  // of the first operand
  std::uint64_t result = 0;
  switch (node.op) {
    case Op::kConstant: case Op::kSymbol: HEDDLE_CHECK(false, "only operations are computed"); break;
    case Op::kAdd: result = first + second; break;
    case Op::kSub: result = first - second; break;
    case Op::kMul: result = first * second; break;
    case Op::kUdiv: case Op::kSdiv: case Op::kUrem: case Op::kSrem: result = divide(node.op, first, second, width); break;
    case Op::kAnd: result = first & second; break;
    case Op::kOr: result = first | second; break;
    case Op::kXor: result = first ^ second; break;
    case Op::kNot: result = ~first; break;
    case Op::kShl: case Op::kLshr: case Op::kAshr: result = shift(node.op, first, second, width); break;
    case Op::kEq: result = first == second; break;
    case Op::kUlt: result = first < second; break;
    case Op::kUle: result = first <= second; break;
    case Op::kSlt: result = as_signed(first, width) < as_signed(second, width); break;
    case Op::kSle: result = as_signed(first, width) <= as_signed(second, width); break;
    case Op::kIte: result = first ? second : operands[2]; break;
    case Op::kConcat: result = first << this->width(node.operand[1]) | second; break;
    case Op::kExtract: result = first >> node.low; break;
    case Op::kZext: result = first; break;
    case Op::kSext: result = static_cast<std::uint64_t>(as_signed(first, width)); break;
  }
  return result & mask(node.width);
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
    case Op::kAdd: case Op::kOr: case Op::kXor:
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
    case Op::kShl: case Op::kLshr: case Op::kAshr:
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
    case Op::kEq: case Op::kUle: case Op::kSle:
      if (first == second) return truth(true);
      if (node.op == Op::kEq && width(first) == 1 && is(first, 1)) return second;
      if (node.op == Op::kEq && width(first) == 1 && is(second, 1)) return first;
      break;
    case Op::kUlt: case Op::kSlt:
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
  HEDDLE_CHECK(op > Op::kSymbol && op < Op::kExtract && op != Op::kNot && op != Op::kIte, "an operation of two operands");
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

// Operands have lower numbers than what is made of them; so one pass over the
// terms that matter, in their order, is enough.
std::uint64_t Terms::evaluate(Term term, const Assignment& assignment) const {
  if (assignment.empty()) return observed(term);
  std::vector<Term> todo{term};
  std::unordered_map<std::uint32_t, std::uint64_t> values;
  while (!todo.empty()) {
    const Term next = todo.back();
    const Node& node = this->node(next);
    if (values.count(next.id)) {
      todo.pop_back();
    } else if (node.op == Op::kConstant) {
      values[next.id] = node.value;
    } else if (node.op == Op::kSymbol) {
      const auto given = assignment.find(next);
      values[next.id] = given == assignment.end() ? node.observed : given->second & mask(node.width);
    } else {
      std::uint64_t operands[3] = {};
      bool ready = true;
      for (unsigned i = 0; i < node.operands; ++i) {
        const auto known = values.find(node.operand[i].id);
        if (known != values.end()) operands[i] = known->second;
        else todo.push_back(node.operand[i]), ready = false;
      }
      if (ready) values[next.id] = compute(node, {operands, node.operands});
    }
  }
  return values[term.id];
}

std::vector<Term> Terms::symbols(std::span<const Term> roots) const {
  std::vector<Term> todo(roots.begin(), roots.end()), result;
  std::unordered_map<std::uint32_t, bool> seen;
  while (!todo.empty()) {
    const Term next = todo.back();
    todo.pop_back();
    if (!seen.try_emplace(next.id, true).second) continue;
    if (is_symbol(next)) result.push_back(next);
    for (const Term operand : operands(next)) todo.push_back(operand);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string Terms::text(Term term) const { return text(term, 0); }

std::string Terms::text(Term term, int depth) const {
  static constexpr const char* kNames[] = {"", "", "+", "-", "*", "/u", "/s", "%u", "%s", "&", "|", "^", "~", "<<", ">>u",
                                           ">>s", "==", "<u", "<=u", "<s", "<=s", "?", "++", "bits", "zext", "sext"};
  constexpr int kDeepest = 12;
  const Node& node = this->node(term);
  if (node.op == Op::kConstant) return std::to_string(node.value);
  if (node.op == Op::kSymbol) return names_[node.value];
  if (depth > kDeepest) return "...";
  const std::string name = kNames[static_cast<int>(node.op)];
  const auto part = [&](int i) { return text(node.operand[i], depth + 1); };
  if (node.op == Op::kIte) return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
  if (node.op == Op::kExtract) return "bits(" + part(0) + ", " + std::to_string(node.low) + ", " + std::to_string(node.width) + ")";
  if (node.operands == 1) return name + "(" + part(0) + ")";
  return "(" + part(0) + " " + name + " " + part(1) + ")";
}

}  // namespace heddle::solve
