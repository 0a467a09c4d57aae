// SPDX-License-Identifier: Apache-2.0
#include "oracle/symbolic_of_run.h"

#include <map>

#include "base/check.h"

namespace heddle::oracle {
namespace {

using solve::Op;
using solve::Term;

class Walk {
 public:
  Walk(const Program& program, const trace::Trace& trace) : program_(program) {
    const Term zero = result_.terms.constant(64, 0);
    for (uint32_t t = 0; t < trace.threads.size(); ++t) {
      result_.symbolic.threads.emplace_back().thread = trace.thread_name(t);
      registers_.emplace_back(kMaximumRegisters, zero);
    }
    places_.resize(trace.threads.size(), 0);
    numbers_[0] = 0;
    for (const trace::Event& event : trace.events) follow(event.record);
  }

  symbolic::WalkedTrace take() { return std::move(result_); }

 private:
  solve::Terms& terms() { return result_.terms; }

  void follow(const HeddleRecord& record) {
    symbolic::ThreadTrace& own = result_.symbolic.threads[record.thread];
    symbolic::Operation operation;
    operation.kind = record.kind;
    operation.order = record.order;
    operation.flags = record.flags;
    operation.index = record.index;
    operation.site = record.site;
    operation.address = terms().constant(64, record.address);
    operation.size = record.size;
    operation.value = record.value;
    operation.value2 = record.value2;
    const Operation* source =
        record.site ? &operation_with_number(program_, static_cast<int>(record.site) - 1) : nullptr;
    if (source) reach(record.thread, *source);
    if (source && is_access(source->kind)) access(record, *source, operation);
    own.operations.push_back(operation);
    if (!source) return;
    if (record.kind == HEDDLE_THREAD_CREATE) numbers_[static_cast<uint32_t>(record.value)] = source->object;
    const bool has_second_half = record.kind == HEDDLE_COND_WAIT || record.kind == HEDDLE_BARRIER_ARRIVE;
    if (has_second_half) return;
    if (!is_access(source->kind) && source->target != kNoRegister) {
      const bool is_barrier = record.kind == HEDDLE_BARRIER_LEAVE;
      const bool got = is_barrier ? record.flags & HEDDLE_FLAG_SERIAL : !(record.flags & HEDDLE_FLAG_FAILED);
      registers_[record.thread][static_cast<size_t>(source->target)] = terms().constant(64, got);
    }
    ++places_[record.thread];
  }

  // Branches and assertions on the way to this operation.
  void reach(uint32_t thread, const Operation& wanted) {
    symbolic::ThreadTrace& own = result_.symbolic.threads[thread];
    const auto& operations = program_.threads[static_cast<size_t>(numbers_.at(thread))].operations;
    for (size_t& place = places_[thread];;) {
      HEDDLE_CHECK(place < operations.size(), "the run follows the program");
      const Operation& next = operations[place];
      if (next.number == wanted.number) return;
      HEDDLE_CHECK(is_control(next.kind), "only branches and assertions are no steps");
      const Term same =
          terms().eq(registers_[thread][static_cast<size_t>(next.source)], terms().constant(64, next.expected));
      const bool is_same = terms().observed(same);
      if (!terms().is_constant(same))
        own.conditions.push_back({is_same ? same : terms().complement(same),
                                  static_cast<uint32_t>(own.operations.size()), 0, symbolic::Condition::Kind::kBranch});
      const bool skips = next.kind == OperationKind::kBranch && is_same != next.equal;
      place += 1 + (skips ? static_cast<size_t>(next.skip) : 0);
    }
  }

  Term sum(uint32_t thread, uint64_t value, int source, unsigned bits) {
    Term term = terms().constant(64, value);
    if (source != kNoRegister) term = terms().add(term, registers_[thread][static_cast<size_t>(source)]);
    return terms().extract(term, 0, bits);
  }

  void access(const HeddleRecord& record, const Operation& source, symbolic::Operation& operation) {
    symbolic::ThreadTrace& own = result_.symbolic.threads[record.thread];
    const unsigned bits = 8 * record.size;
    const Term amount = sum(record.thread, source.value, source.source, bits);
    if (source.kind == OperationKind::kStore) {
      operation.written = amount;
      return;
    }
    const Term old = terms().symbol(bits, own.thread + ":" + std::to_string(record.index), record.value);
    operation.read = old;
    if (source.kind == OperationKind::kAdd) operation.written = terms().add(old, amount);
    if (source.kind == OperationKind::kExchange) operation.written = amount;
    if (source.kind == OperationKind::kCompareExchange) {
      const Term equal = terms().eq(old, sum(record.thread, source.expected, source.compared, bits));
      const bool exchanged = !(record.flags & HEDDLE_FLAG_FAILED);
      own.conditions.push_back(
          {exchanged ? equal : terms().complement(equal), record.index, 0, symbolic::Condition::Kind::kBranch});
      if (exchanged) operation.written = amount;
    }
    if (source.target != kNoRegister)
      registers_[record.thread][static_cast<size_t>(source.target)] = terms().extend(Op::kZext, old, 64);
  }

  const Program& program_;
  symbolic::WalkedTrace result_;
  std::map<uint32_t, int> numbers_;  // of threads of the trace: which of the program
  std::vector<std::vector<Term>> registers_;
  std::vector<size_t> places_;
};

}  // namespace

symbolic::WalkedTrace symbolic_of_run(const Program& program, const trace::Trace& trace) {
  return Walk(program, trace).take();
}

}  // namespace heddle::oracle
