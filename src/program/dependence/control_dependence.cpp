// SPDX-License-Identifier: Apache-2.0
//
// Segments of a function, their post-dominators, and from these who decides
// about whom: for each way a -> b, everything from b up to where all ways from a
// meet again depends on a.
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

#include "program/dependence/program_flow.h"

namespace heddle::program {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// The segments and, after them, three ends: the function returns, throws, or
// neither. All ways lead to the last one.
struct Ways {
  std::vector<llvm::SmallVector<uint32_t, 2>> next;
  uint32_t returns, unwinds, end;

  void add(uint32_t from, uint32_t to) {
    if (std::find(next[from].begin(), next[from].end(), to) == next[from].end()) next[from].push_back(to);
  }
};

// For each node the nearest other one that all ways from it to the end go
// through (Cooper, Harvey and Kennedy: a fixed point over an order of the nodes).
std::vector<uint32_t> post_dominators(const Ways& ways) {
  const size_t count = ways.next.size();
  std::vector<llvm::SmallVector<uint32_t, 2>> before(count);
  for (uint32_t node = 0; node < count; ++node)
    for (const uint32_t to : ways.next[node]) before[to].push_back(node);
  std::vector<uint32_t> order, place(count, kNone);  // the end last
  std::vector<bool> seen(count, false);
  std::vector<std::pair<uint32_t, size_t>> stack = {{ways.end, 0}};
  seen[ways.end] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < before[node].size()) {
      const uint32_t to = before[node][next++];
      if (!seen[to]) {
        seen[to] = true;
        stack.push_back({to, 0});
      }
      continue;
    }
    place[node] = static_cast<uint32_t>(order.size());
    order.push_back(node);
    stack.pop_back();
  }
  std::vector<uint32_t> dominator(count, kNone);
  dominator[ways.end] = ways.end;
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = order.size() - 1; i-- > 0;) {
      const uint32_t node = order[i];
      uint32_t best = kNone;
      for (uint32_t other : ways.next[node]) {
        if (dominator[other] == kNone) continue;
        while (best != kNone && best != other) {
          if (place[best] < place[other]) {
            best = dominator[best];
          } else {
            other = dominator[other];
          }
        }
        best = other;
      }
      changed |= dominator[node] != best;
      dominator[node] = best;
    }
  }
  return dominator;
}

void cut_into_segments(const llvm::Function& function, const ProgramFlow& flow, FunctionFlow& result,
                       llvm::DenseMap<const llvm::BasicBlock*, uint32_t>& first_of) {
  for (const llvm::BasicBlock& block : function) {
    first_of[&block] = static_cast<uint32_t>(result.segments.size());
    for (const llvm::Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->hasFnAttr(llvm::Attribute::ReturnsTwice)) result.has_setjmp = true;
      if (instruction.isTerminator() || flow.stop_at(instruction).any())
        result.segments.push_back({&block, &instruction, false, {}});
    }
    result.last_of[&block] = static_cast<uint32_t>(result.segments.size() - 1);
  }
}

}  // namespace

FunctionFlow ProgramFlow::flow_of(const llvm::Function& function) const {
  FunctionFlow result;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> first_of;
  cut_into_segments(function, *this, result, first_of);
  const auto count = static_cast<uint32_t>(result.segments.size());
  Ways ways{std::vector<llvm::SmallVector<uint32_t, 2>>(count + 3), count, count + 1, count + 2};
  ways.add(ways.returns, ways.end);
  ways.add(ways.unwinds, ways.end);
  for (uint32_t i = 0; i < count; ++i) {
    const llvm::Instruction* last = result.segments[i].last;
    const Stop stop = stop_at(*last);
    const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(last);
    if (stop.ends || llvm::isa<llvm::UnreachableInst>(last)) ways.add(i, ways.end);
    if (llvm::isa<llvm::ReturnInst>(last)) ways.add(i, ways.returns);
    if (llvm::isa<llvm::ResumeInst>(last) || (stop.unwinds && !invoke)) ways.add(i, ways.unwinds);
    if (!last->isTerminator()) {
      if (stop.comes_back) ways.add(i, i + 1);
    } else if (invoke) {
      if (stop.comes_back) ways.add(i, first_of[invoke->getNormalDest()]);
      if (stop.unwinds) ways.add(i, first_of[invoke->getUnwindDest()]);
    } else {
      for (const llvm::BasicBlock* next : llvm::successors(last->getParent())) ways.add(i, first_of[next]);
    }
  }
  llvm::df_iterator_default_set<const llvm::BasicBlock*> reached;
  for (const llvm::BasicBlock* block : llvm::depth_first_ext(&function.getEntryBlock(), reached)) (void)block;
  for (const llvm::BasicBlock& block : function)
    if (endless_.contains(&block) || !reached.contains(&block)) ways.add(first_of[&block], ways.end);
  for (uint32_t i = 0; i < count; ++i)
    if (ways.next[i].empty()) ways.add(i, ways.end);

  const std::vector<uint32_t> dominator = post_dominators(ways);
  for (uint32_t from = 0; from < count; ++from) {
    if (ways.next[from].size() < 2) continue;
    result.segments[from].decides = true;
    for (const uint32_t to : ways.next[from])
      for (uint32_t at = to; at != kNone && at != dominator[from] && at != ways.end; at = dominator[at]) {
        auto& deciders = at < count           ? result.segments[at].deciders
                         : at == ways.returns ? static_cast<llvm::SmallVectorImpl<uint32_t>&>(result.return_deciders)
                                              : result.unwind_deciders;
        if (std::find(deciders.begin(), deciders.end(), from) == deciders.end()) deciders.push_back(from);
      }
  }
  return result;
}

}  // namespace heddle::program
