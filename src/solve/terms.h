// SPDX-License-Identifier: Apache-2.0
//
// Terms: what a program computes, as formulas over values that are not known.
// A term is a bit-vector of 1 to 64 bits; a truth value has one bit. Equal terms
// are one term (the same number), and what can be computed at once is:
//
//   Terms terms;
//   const Term x = terms.symbol(32, "x");
//   const Term sum = terms.add(x, terms.constant(32, 1));
//   terms.evaluate(sum, {{x, 41}});                        // 42
//
// A symbol may come with the value that it had in a run. Then every term has one:
// what it was in that run (`observed`).
//
// Division and remainder by zero, and shifts by the width or more, have the
// meaning of SMT-LIB: x / 0 is all ones (signed: 1 for negative x), x % 0 is x,
// a shift by too much gives 0, or copies of the sign. A program must not do such
// things; who makes terms of a program says so beside them.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::solve {

struct Term {
  std::uint32_t id = 0;
  friend auto operator<=>(const Term&, const Term&) = default;
};

// The operands of each have the same width, and the result has it too, unless said otherwise.
enum class Op : std::uint8_t {
  kConstant,
  kSymbol,
  kAdd,
  kSub,
  kMul,
  kUdiv,
  kSdiv,
  kUrem,
  kSrem,
  kAnd,
  kOr,
  kXor,
  kNot,
  kShl,
  kLshr,
  kAshr,
  kEq,
  kUlt,
  kUle,
  kSlt,
  kSle,      // result: one bit
  kIte,      // first operand: one bit
  kConcat,   // the first is the high part; widths add up
  kExtract,  // bits [low, low + width)
  kZext,
  kSext,  // to `width`
};

using Assignment = std::map<Term, std::uint64_t>;  // of symbols

class Terms {
 public:
  struct Node {
    Op op = Op::kConstant;
    std::uint8_t width = 1;
    std::uint8_t low = 0;  // kExtract
    std::uint8_t operands = 0;
    Term operand[3] = {};
    std::uint64_t value = 0;  // kConstant: itself; kSymbol: number of its name
    std::uint64_t observed = 0;
    bool operator==(const Node&) const = default;
  };

  static constexpr unsigned kMostBits = 64;

  Term constant(unsigned width, std::uint64_t value);
  // A new symbol, whatever others are called.
  Term symbol(unsigned width, std::string name, std::uint64_t observed = 0);
  Term truth(bool value) { return constant(1, value); }

  // Any operation but constants, symbols, extract and extensions. Operands must fit.
  Term apply(Op op, Term first, Term second);
  Term add(Term first, Term second) { return apply(Op::kAdd, first, second); }
  Term eq(Term first, Term second) { return apply(Op::kEq, first, second); }
  Term both(Term first, Term second) { return apply(Op::kAnd, first, second); }
  Term either(Term first, Term second) { return apply(Op::kOr, first, second); }
  Term complement(Term operand);  // of one bit: not
  Term ite(Term condition, Term yes, Term no);
  Term extract(Term operand, unsigned low, unsigned width);
  Term extend(Op op, Term operand, unsigned width);  // kZext, kSext; the same width: the operand
  Term concat(Term high, Term low) { return apply(Op::kConcat, high, low); }

  const Node& node(Term term) const { return nodes_[term.id]; }
  std::span<const Term> operands(Term term) const { return {node(term).operand, node(term).operands}; }
  unsigned width(Term term) const { return node(term).width; }
  bool is_constant(Term term) const { return node(term).op == Op::kConstant; }
  bool is_symbol(Term term) const { return node(term).op == Op::kSymbol; }
  std::uint64_t value(Term term) const { return node(term).value; }  // of a constant
  std::uint64_t observed(Term term) const { return node(term).observed; }
  const std::string& name(Term symbol) const { return names_[node(symbol).value]; }
  std::size_t size() const { return nodes_.size(); }

  // Every symbol that is not assigned counts as observed.
  std::uint64_t evaluate(Term term, const Assignment& assignment) const;
  // The symbols of these terms, ascending, each once.
  std::vector<Term> symbols(std::span<const Term> roots) const;
  std::vector<Term> symbols(Term root) const { return symbols(std::span(&root, 1)); }
  // In infix form, for people. Terms of which it would be too long are cut short.
  std::string text(Term term) const;

 private:
  struct NodeHash {
    std::size_t operator()(const Node& node) const;
  };

  Term make(Node node);
  Term simplified(Node node);
  std::uint64_t compute(const Node& node, std::span<const std::uint64_t> operands) const;
  std::string text(Term term, int depth) const;

  std::vector<Node> nodes_;
  std::vector<std::string> names_;
  std::unordered_map<Node, std::uint32_t, NodeHash> known_;
};

}  // namespace heddle::solve
