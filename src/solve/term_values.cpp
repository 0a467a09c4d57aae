// SPDX-License-Identifier: Apache-2.0
//
// What terms come to, which symbols they have, and how they look.
#include <algorithm>

#include "base/check.h"
#include "solve/bits.h"
#include "solve/terms.h"

namespace heddle::solve {
namespace {

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

std::uint64_t Terms::compute(const Node& node, std::span<const std::uint64_t> operands) const {
  const std::uint64_t first = operands[0], second = operands.size() > 1 ? operands[1] : 0;
  const unsigned width = this->width(node.operand[0]);  // of the first operand
  std::uint64_t result = 0;
  switch (node.op) {
    case Op::kConstant:
    case Op::kSymbol: HEDDLE_CHECK(false, "only operations are computed"); break;
    case Op::kAdd: result = first + second; break;
    case Op::kSub: result = first - second; break;
    case Op::kMul: result = first * second; break;
    case Op::kUdiv:
    case Op::kSdiv:
    case Op::kUrem:
    case Op::kSrem: result = divide(node.op, first, second, width); break;
    case Op::kAnd: result = first & second; break;
    case Op::kOr: result = first | second; break;
    case Op::kXor: result = first ^ second; break;
    case Op::kNot: result = ~first; break;
    case Op::kShl:
    case Op::kLshr:
    case Op::kAshr: result = shift(node.op, first, second, width); break;
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

// Operands have lower numbers than what is made of them; so one pass over the
// terms that matter, in their order, is enough.
std::uint64_t Terms::evaluate(Term term, const Assignment& assignment) const {
  if (assignment.empty()) return observed(term);
  // Small terms, which most are, without remembering anything.
  constexpr unsigned kMostVisits = 64;
  unsigned visits = 0;
  const auto quickly = [&](const auto& self, Term each) -> std::uint64_t {
    const Node& node = this->node(each);
    if (node.op == Op::kConstant || ++visits > kMostVisits) return node.value;
    if (node.op == Op::kSymbol) {
      const auto given = assignment.find(each);
      return given == assignment.end() ? node.observed : given->second & mask(node.width);
    }
    std::uint64_t operands[3] = {};
    for (unsigned i = 0; i < node.operands; ++i) operands[i] = self(self, node.operand[i]);
    return compute(node, {operands, node.operands});
  };
  if (const std::uint64_t result = quickly(quickly, term); visits <= kMostVisits) return result;
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
        if (known != values.end())
          operands[i] = known->second;
        else
          todo.push_back(node.operand[i]), ready = false;
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
  static constexpr const char* kNames[] = {"",    "",   "+",   "-", "*",  "/u",   "/s",   "%u",  "%s",
                                           "&",   "|",  "^",   "~", "<<", ">>u",  ">>s",  "==",  "<u",
                                           "<=u", "<s", "<=s", "?", "++", "bits", "zext", "sext"};
  constexpr int kDeepest = 12;
  const Node& node = this->node(term);
  if (node.op == Op::kConstant) return std::to_string(node.value);
  if (node.op == Op::kSymbol) return names_[node.value];
  if (depth > kDeepest) return "...";
  const std::string name = kNames[static_cast<int>(node.op)];
  const auto part = [&](int i) { return text(node.operand[i], depth + 1); };
  if (node.op == Op::kIte) return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
  if (node.op == Op::kExtract)
    return "bits(" + part(0) + ", " + std::to_string(node.low) + ", " + std::to_string(node.width) + ")";
  if (node.operands == 1) return name + "(" + part(0) + ")";
  return "(" + part(0) + " " + name + " " + part(1) + ")";
}

}  // namespace heddle::solve
