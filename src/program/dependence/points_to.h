// SPDX-License-Identifier: Apache-2.0
//
// Points-to analysis: which locations a pointer may hold, for a whole program,
// by inclusion of sets (Andersen's analysis), with fields told apart, without
// regard to the order of statements or to who calls.
//
//   p = &x        {x} is in p
//   q = p         p is in q
//   q = *p        what the locations in p hold is in q
//   *p = q        q is in what they hold
//
// Nodes are variables and pieces of memory, arrows say "is contained in".
// Arrows grow while sets do, so the solver goes in waves: nodes on a cycle of
// arrows become one, sets flow along the arrows in order, then loads, stores,
// moves and calls through pointers add arrows for what is new.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SparseBitVector.h>

#include <functional>
#include <vector>

#include "program/dependence/locations.h"

namespace heddle::program {

using PointerNode = uint32_t;
using LocationSet = llvm::SparseBitVector<>;

class PointsToSolver {
 public:
  // What a call through a pointer does when a function turns up there; null: one
  // of a library.
  using OnFunction = std::function<void(const llvm::Function*)>;

  explicit PointsToSolver(Locations& locations) : locations_(locations) {}

  PointerNode add_node();
  void add_address(PointerNode node, LocationId location);
  void add_copy(PointerNode from, PointerNode to);
  void add_move(PointerNode from, PointerNode to, Step step, int64_t distance);
  void add_load(PointerNode pointer, PointerNode result, uint64_t size);
  void add_store(PointerNode pointer, PointerNode value, uint64_t size);
  // Calls back, during solve(), for every function the node may hold.
  void add_call(PointerNode pointer, OnFunction on_function);

  void solve();

  const LocationSet& points_to(PointerNode node) const { return nodes_[representative(node)].held; }

 private:
  enum class Kind : uint8_t { kMove, kLoad, kStore, kCall };
  struct Rule {
    Kind kind;
    Step step = Step::kBy;
    PointerNode other = 0;  // result or value
    int64_t number = 0;     // distance, size, or which callback
  };
  struct Node {
    LocationSet held, flowed, seen;  // seen: rules have been applied
    std::vector<PointerNode> arrows;
    std::vector<uint32_t> rules;
  };
  // The memory of an object: pieces, what may be written anywhere, and all of it together.
  struct Memory {
    PointerNode written_anywhere, read_anywhere;
    llvm::DenseMap<uint32_t, PointerNode> pieces;
  };

  void add_rule(PointerNode node, Rule rule);
  PointerNode representative(PointerNode node) const;
  PointerNode merge(PointerNode first, PointerNode second);
  bool hold(PointerNode node, LocationId location);
  Memory& memory(ObjectId object);
  PointerNode piece(ObjectId object, uint32_t offset);
  std::vector<PointerNode> collapse_cycles();
  void flow(const std::vector<PointerNode>& order);
  void apply_rules();
  std::vector<LocationId> take_new(PointerNode node);
  void merge_objects(const std::vector<LocationId>& locations);
  void merge_memory(ObjectId kept, ObjectId gone);
  void compact();
  void apply(uint32_t number, LocationId location);
  void connect(LocationId location, PointerNode other, uint64_t size, bool load);

  Locations& locations_;
  std::vector<Node> nodes_;
  mutable std::vector<PointerNode> parent_;
  std::vector<Rule> rules_;
  llvm::DenseMap<std::pair<uint32_t, ObjectId>, unsigned> moves_;  // how many offsets a rule has reached
  std::vector<OnFunction> callbacks_;
  llvm::DenseMap<ObjectId, uint32_t> memory_index_;
  std::vector<Memory> memories_;
  llvm::DenseSet<uint64_t> known_arrows_;
  bool changed_ = false;
  bool merged_objects_ = false;
};

}  // namespace heddle::program
