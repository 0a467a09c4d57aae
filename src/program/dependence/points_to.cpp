// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/points_to.h"

#include <llvm/IR/Function.h>

#include <algorithm>

#include "program/dependence/components.h"

namespace heddle::program {
namespace {

constexpr uint32_t kPieceBytes = 8;  // a pointer lies in one or two pieces
// A pointer that is moved on and on in a loop is anywhere in its object after so many steps.
constexpr unsigned kMostMoves = 4;

}  // namespace

PointerNode PointsToSolver::add_node() {
  nodes_.emplace_back();
  parent_.push_back(static_cast<PointerNode>(parent_.size()));
  return parent_.back();
}

PointerNode PointsToSolver::representative(PointerNode node) const {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

bool PointsToSolver::hold(PointerNode node, LocationId location) {
  const bool is_new = nodes_[representative(node)].held.test_and_set(location);
  changed_ |= is_new;
  return is_new;
}

void PointsToSolver::add_address(PointerNode node, LocationId location) { hold(node, location); }

void PointsToSolver::add_copy(PointerNode from, PointerNode to) {
  from = representative(from);
  to = representative(to);
  if (from == to || !known_arrows_.insert(uint64_t{from} << 32 | to).second) return;
  nodes_[from].arrows.push_back(to);
  changed_ |= nodes_[to].held |= nodes_[from].held;
}

// Rules may come while the solver runs: what the node held before counts anew.
void PointsToSolver::add_rule(PointerNode node, Rule rule) {
  Node& at = nodes_[representative(node)];
  at.rules.push_back(static_cast<uint32_t>(rules_.size()));
  at.seen.clear();
  rules_.push_back(std::move(rule));
  changed_ = true;
}

void PointsToSolver::add_move(PointerNode from, PointerNode to, Step step, int64_t distance) {
  add_rule(from, {Kind::kMove, step, to, distance});
}

void PointsToSolver::add_load(PointerNode pointer, PointerNode result, uint64_t size) {
  add_rule(pointer, {Kind::kLoad, Step::kBy, result, static_cast<int64_t>(size)});
}

void PointsToSolver::add_store(PointerNode pointer, PointerNode value, uint64_t size) {
  add_rule(pointer, {Kind::kStore, Step::kBy, value, static_cast<int64_t>(size)});
}

void PointsToSolver::add_call(PointerNode pointer, OnFunction on_function) {
  add_rule(pointer, {Kind::kCall, Step::kBy, 0, static_cast<int64_t>(callbacks_.size())});
  callbacks_.push_back(std::move(on_function));
}

PointsToSolver::Memory& PointsToSolver::memory(ObjectId object) {
  const auto [found, is_new] = memory_index_.try_emplace(object, static_cast<uint32_t>(memories_.size()));
  if (is_new) {
    const PointerNode written = add_node(), read = add_node();
    add_copy(written, read);
    Memory& made = memories_.emplace_back();
    made.written_anywhere = written;
    made.read_anywhere = read;
  }
  return memories_[found->second];
}

PointerNode PointsToSolver::piece(ObjectId object, uint32_t offset) {
  Memory& whole = memory(object);
  const auto found = whole.pieces.find(offset);
  if (found != whole.pieces.end()) return found->second;
  const PointerNode node = add_node();
  whole.pieces[offset] = node;
  add_copy(whole.written_anywhere, node);
  add_copy(node, whole.read_anywhere);
  return node;
}

void PointsToSolver::connect(LocationId location, PointerNode other, uint64_t size, bool load) {
  const ObjectId object = locations_.object_of(location);
  if (locations_.object(object).kind == ObjectKind::kFunction) return;
  const auto pieces = locations_.pieces(location, size, kPieceBytes);
  if (!pieces) {
    const Memory& whole = memory(object);
    return load ? add_copy(whole.read_anywhere, other) : add_copy(other, whole.written_anywhere);
  }
  for (const uint32_t offset : *pieces) {
    const PointerNode node = piece(object, offset);
    load ? add_copy(node, other) : add_copy(other, node);
  }
}

void PointsToSolver::apply(uint32_t number, LocationId location) {
  const ObjectId object = locations_.object_of(location);
  switch (rules_[number].kind) {
    case Kind::kMove: {
      const Rule& rule = rules_[number];
      LocationId target = locations_.moved(location, rule.step, rule.number);
      if (target != location && ++moves_[{number, object}] > kMostMoves) target = locations_.anywhere(object);
      hold(rule.other, target);
      break;
    }
    case Kind::kLoad:
    case Kind::kStore:
      connect(location, rules_[number].other, static_cast<uint64_t>(rules_[number].number),
              rules_[number].kind == Kind::kLoad);
      break;
    case Kind::kCall: {
      const Object& target = locations_.object(object);
      const OnFunction callback = callbacks_[static_cast<size_t>(rules_[number].number)];
      if (target.kind == ObjectKind::kFunction) callback(llvm::cast<llvm::Function>(target.value));
      if (target.kind == ObjectKind::kLibrary) callback(nullptr);
      break;
    }
  }
}

void PointsToSolver::apply_rules() {
  for (PointerNode node = 0; node < nodes_.size(); ++node) {
    if (parent_[node] != node || nodes_[node].rules.empty()) continue;
    LocationSet fresh;
    fresh.intersectWithComplement(nodes_[node].held, nodes_[node].seen);
    if (fresh.empty()) continue;
    nodes_[node].seen |= fresh;
    const std::vector<uint32_t> rules = nodes_[node].rules;
    for (const uint32_t rule : rules)
      for (const LocationId location : fresh) apply(rule, location);
  }
}

void PointsToSolver::flow(const std::vector<PointerNode>& order) {
  for (const PointerNode node : order) {
    Node& from = nodes_[node];
    if (from.arrows.empty()) continue;
    LocationSet fresh;
    fresh.intersectWithComplement(from.held, from.flowed);
    if (fresh.empty()) continue;
    from.flowed |= fresh;
    for (const PointerNode arrow : from.arrows) {
      const PointerNode to = representative(arrow);
      if (to != node) nodes_[to].held |= fresh;
    }
  }
}

PointerNode PointsToSolver::merge(PointerNode first, PointerNode second) {
  if (nodes_[first].arrows.size() + nodes_[first].rules.size() < nodes_[second].arrows.size() + nodes_[second].rules.size())
    std::swap(first, second);
  Node& kept = nodes_[first];
  Node& gone = nodes_[second];
  parent_[second] = first;
  kept.held |= gone.held;
  kept.flowed &= gone.flowed;
  kept.seen &= gone.seen;
  kept.arrows.insert(kept.arrows.end(), gone.arrows.begin(), gone.arrows.end());
  kept.rules.insert(kept.rules.end(), gone.rules.begin(), gone.rules.end());
  gone = Node();
  return first;
}

// Returns representatives, sources first.
std::vector<PointerNode> PointsToSolver::collapse_cycles() {
  const auto count = static_cast<uint32_t>(nodes_.size());
  const Components components = strong_components(
      count, [&](PointerNode node) { return nodes_[node].arrows.size(); },
      [&](PointerNode node, size_t i) { return representative(nodes_[node].arrows[i]); });
  std::vector<PointerNode> kept(components.count, UINT32_MAX);
  std::vector<bool> grown(components.count, false);
  for (PointerNode node = 0; node < count; ++node) {
    if (parent_[node] != node) continue;
    PointerNode& known = kept[components.of[node]];
    grown[components.of[node]] = known != UINT32_MAX;
    known = known == UINT32_MAX ? node : merge(known, node);
  }
  std::vector<PointerNode> order;
  for (uint32_t i = components.count; i-- > 0;) {
    if (kept[i] == UINT32_MAX) continue;
    order.push_back(kept[i]);
    if (!grown[i]) continue;
    std::vector<PointerNode>& arrows = nodes_[kept[i]].arrows;
    for (PointerNode& arrow : arrows) arrow = representative(arrow);
    std::sort(arrows.begin(), arrows.end());
    arrows.erase(std::unique(arrows.begin(), arrows.end()), arrows.end());
    std::erase(arrows, kept[i]);
  }
  return order;
}

void PointsToSolver::solve() {
  do {
    changed_ = false;
    flow(collapse_cycles());
    apply_rules();
  } while (changed_);
}

}  // namespace heddle::program
