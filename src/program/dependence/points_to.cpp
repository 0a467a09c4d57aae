// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/points_to.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "program/dependence/components.h"

namespace heddle::program {
namespace {

constexpr uint32_t kPieceBytes = 8;  // a pointer lies in one or two pieces
// A pointer that is moved on and on in a loop is anywhere in its object after so many steps.
constexpr unsigned kMostMoves = 4;
constexpr size_t kManyObjects = 256, kManyAlike = 64;

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
  rules_.push_back(rule);
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

// Locations that the node's rules have not seen.
std::vector<LocationId> PointsToSolver::take_new(PointerNode node) {
  LocationSet fresh;
  fresh.intersectWithComplement(nodes_[node].held, nodes_[node].seen);
  nodes_[node].seen |= fresh;
  std::vector<LocationId> result;
  for (const LocationId location : fresh) result.push_back(location);
  if (result.size() > kManyObjects) merge_objects(result);
  for (LocationId& location : result) location = locations_.canonical(location);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void PointsToSolver::apply_rules() {
  for (PointerNode node = 0; node < nodes_.size(); ++node) {
    if (parent_[node] != node || nodes_[node].rules.empty()) continue;
    const std::vector<LocationId> fresh = take_new(node);
    if (fresh.empty()) continue;
    const std::vector<uint32_t> rules = nodes_[node].rules;
    for (const uint32_t rule : rules)
      for (const LocationId location : fresh) apply(rule, location);
  }
}

// In large programs every list holds blocks of every call that allocates; telling
// these apart takes long and says nothing.
void PointsToSolver::merge_objects(const std::vector<LocationId>& locations) {
  std::map<std::tuple<ObjectKind, const llvm::Type*, uint64_t, bool>, std::vector<ObjectId>> alike;
  for (const LocationId location : locations) {
    const ObjectId id = locations_.object_of(location);
    const Object& object = locations_.object(id);
    if (object.kind == ObjectKind::kFunction || object.kind == ObjectKind::kLibrary || !object.value) continue;
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object.value);
    alike[{object.kind, object.type, object.size, global && global->isConstant()}].push_back(id);
  }
  std::vector<std::vector<ObjectId>> groups;  // in an order that does not depend on where types lie
  for (auto& [kind, objects] : alike) {
    std::sort(objects.begin(), objects.end());
    objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
    if (objects.size() >= kManyAlike) groups.push_back(std::move(objects));
  }
  std::sort(groups.begin(), groups.end());
  for (const std::vector<ObjectId>& objects : groups)
    for (size_t i = 1; i < objects.size(); ++i) merge_memory(objects.front(), objects[i]);
}

void PointsToSolver::merge_memory(ObjectId kept, ObjectId gone) {
  merged_objects_ = true;
  const auto found = memory_index_.find(gone);
  if (found != memory_index_.end()) {
    const auto both_ways = [&](PointerNode one, PointerNode other) {
      add_copy(one, other);
      add_copy(other, one);
    };
    const Memory old = memories_[found->second];
    both_ways(old.written_anywhere, memory(kept).written_anywhere);
    both_ways(old.read_anywhere, memory(kept).read_anywhere);
    std::vector<std::pair<uint32_t, PointerNode>> pieces(old.pieces.begin(), old.pieces.end());
    std::sort(pieces.begin(), pieces.end());
    for (const auto& [offset, node] : pieces) both_ways(node, piece(kept, offset));
  }
  locations_.merge(kept, gone);
}

// Sets name merged objects by the one that was kept.
void PointsToSolver::compact() {
  for (PointerNode node = 0; node < nodes_.size(); ++node) {
    if (parent_[node] != node) continue;
    for (LocationSet* set : {&nodes_[node].held, &nodes_[node].flowed, &nodes_[node].seen}) {
      LocationSet renamed;
      for (const LocationId location : *set) renamed.set(locations_.canonical(location));
      *set = std::move(renamed);
    }
  }
  merged_objects_ = false;
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
  if (nodes_[first].arrows.size() + nodes_[first].rules.size() <
      nodes_[second].arrows.size() + nodes_[second].rules.size())
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
    if (merged_objects_) compact();
  } while (changed_);
}

}  // namespace heddle::program
