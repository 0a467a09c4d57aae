// SPDX-License-Identifier: Apache-2.0
//
// Reads whose value alone decides a condition of the path, such as a flag that
// was found set: writes of constants that would break the condition are struck
// out at once, without asking a solver about values. Where a write's value or
// place is not known it is taken to be fine; the machine sees it if it is not.
#include <algorithm>

#include "reproduce/read_constraints.h"

namespace heddle::reproduce {

using solve::kNoEvent;
using solve::Term;

void ReadConstraints::add_decided() {
  std::map<OperationId, std::vector<Term>> conditions;
  for (const Thread& thread : run_.threads) {
    for (const Condition& condition : thread.conditions) {
      if (run_.terms.is_constant(condition.holds)) continue;
      const std::vector<Term> symbols = run_.terms.symbols(condition.holds);
      // What comes after the failure may have found anything.
      if (symbols.size() == 1 && is_read(symbols[0]) && !system_.may_come_later(read_of(symbols[0])))
        conditions[read_of(symbols[0])].push_back(condition.holds);
    }
  }
  for (const auto& [read, terms] : conditions) {
    if (patience_.is_over()) return;
    decide(read, terms);
  }
}

uint64_t ReadConstraints::initial_value(const Operation& read) const {
  uint64_t value = 0;
  const uint64_t address = run_.terms.value(read.address);
  for (uint32_t i = 0; i < read.size; ++i) {
    auto object = run_.initial.upper_bound(address + i);
    if (object == run_.initial.begin()) continue;
    --object;
    const uint64_t offset = address + i - object->first;
    if (offset < object->second.size()) value |= uint64_t{object->second[offset]} << (8 * i);
  }
  return value;
}

// False: nothing is known that would constrain it.
bool ReadConstraints::decide(OperationId id, const std::vector<Term>& conditions) {
  const Operation& read = run_.at(id);
  if (!run_.terms.is_constant(read.address)) return false;
  const auto holds = [&](uint64_t value) {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](Term condition) { return run_.terms.evaluate(condition, {{read.read, value}}) != 0; });
  };
  const auto may_be_right = [&](OperationId write) {
    const Operation& operation = run_.at(write);
    if (!surely_hits(write, id) || operation.size != read.size || operation.address != read.address) return true;
    return !run_.terms.is_constant(operation.written) || holds(run_.terms.value(operation.written));
  };
  solve::Read constraint{.read = system_.event(id)};
  constraint.initial_matches = holds(initial_value(read));
  for (const OperationId write : candidates(id))
    (may_be_right(write) ? constraint.sources : constraint.others).push_back(system_.in_memory(write));
  if (constraint.others.empty() && constraint.initial_matches) return false;
  // What a store to a place that is not known does to the read, while it is in the buffer, is not said here.
  for (uint32_t i = 0; system_.model() != schedule::MemoryModel::kSc && i < id.index; ++i) {
    const OperationId earlier = {id.thread, i};
    if (writes_memory(run_.at(earlier)) && may_touch(run_.at(earlier), read) && !surely_hits(earlier, id)) return false;
  }
  if (const OperationId own = own_store(id); own != kNoOperation) {
    constraint.own_store = system_.in_memory(own);
    constraint.own_store_matches = may_be_right(own);
  }
  system_.problem().reads.push_back(std::move(constraint));
  return true;
}

}  // namespace heddle::reproduce
