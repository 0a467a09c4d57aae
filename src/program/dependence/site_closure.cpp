// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/site_closure.h"

#include <array>
#include <map>

#include "program/dependence/components.h"

namespace heddle::program {
namespace {

constexpr size_t kWords = 8;
using Chunk = std::array<uint64_t, kWords>;

bool counts(EdgeKind kind, bool memory) {
  // Other threads' influence comes through operations of this one.
  return kind != EdgeKind::kThread && (memory || kind != EdgeKind::kTracedMemory);
}

// The graph with cycles made one node. What a component depends on has a higher number.
struct Condensed {
  Components components;
  std::vector<uint32_t> start, edges;  // by component: what it leads to
};

Condensed condense(const DependenceGraph& graph, bool memory) {
  const auto count = static_cast<uint32_t>(graph.nodes());
  std::vector<uint32_t> start(count + 1, 0), targets;
  for (NodeId node = 0; node < count; ++node) {
    for (const DependenceEdge& edge : graph.out_of(node))
      if (counts(edge.kind, memory)) targets.push_back(edge.other);
    start[node + 1] = static_cast<uint32_t>(targets.size());
  }
  Condensed result;
  result.components = strong_components(
      count, [&](NodeId node) { return start[node + 1] - start[node]; },
      [&](NodeId node, size_t i) { return targets[start[node] + i]; });
  std::vector<std::pair<uint32_t, uint32_t>> between;
  for (NodeId node = 0; node < count; ++node)
    for (uint32_t i = start[node]; i < start[node + 1]; ++i) {
      const uint32_t from = result.components.of[node], to = result.components.of[targets[i]];
      if (from != to) between.push_back({from, to});
    }
  std::sort(between.begin(), between.end());
  between.erase(std::unique(between.begin(), between.end()), between.end());
  result.start.assign(result.components.count + 1, 0);
  for (const auto& [from, to] : between) {
    ++result.start[from + 1];
    result.edges.push_back(to);
  }
  for (size_t i = 0; i < result.components.count; ++i) result.start[i + 1] += result.start[i];
  return result;
}

// Values that are in one cycle are one source; actions in one cycle one target.
struct Numbered {
  std::vector<uint32_t> component;  // by class
  std::vector<uint32_t> class_of;   // by site
};

template <typename NodeOf>
Numbered number(const std::vector<SiteNodes>& sites, const Components& components, const NodeOf& node_of) {
  Numbered result;
  std::map<uint32_t, uint32_t> known;
  for (const SiteNodes& site : sites) {
    const NodeId node = node_of(site);
    if (node == kNoNode) {
      result.class_of.push_back(SiteDependence::kNoClass);
      continue;
    }
    const auto [found, is_new] =
        known.try_emplace(components.of[node], static_cast<uint32_t>(result.component.size()));
    if (is_new) result.component.push_back(components.of[node]);
    result.class_of.push_back(found->second);
  }
  return result;
}

// What decides whether operations happen: control and calls, for all sites, and
// whether functions come back.
std::vector<NodeId> steering_nodes(const ProgramDependence& dependence) {
  std::vector<NodeId> result;
  for (const SiteNodes& site : dependence.sites) {
    if (site.counted) result.push_back(site.action);
    for (const DependenceEdge& edge : dependence.graph.into(site.action))
      if (edge.kind == EdgeKind::kControl || edge.kind == EdgeKind::kCall) result.push_back(edge.other);
  }
  for (NodeId node = 0; node < dependence.graph.nodes(); ++node) {
    const NodeKind kind = dependence.graph.node(node).kind;
    if (kind == NodeKind::kReturns || kind == NodeKind::kUnwinds) result.push_back(node);
  }
  return result;
}

std::vector<bool> find_steering(const ProgramDependence& dependence, bool memory) {
  std::vector<bool> reached(dependence.graph.nodes(), false);
  std::vector<NodeId> stack = steering_nodes(dependence);
  for (const NodeId node : stack) reached[node] = true;
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    for (const DependenceEdge& edge : dependence.graph.into(node)) {
      if (reached[edge.other] || !counts(edge.kind, memory)) continue;
      reached[edge.other] = true;
      stack.push_back(edge.other);
    }
  }
  std::vector<bool> steers;
  for (const SiteNodes& site : dependence.sites) steers.push_back(site.value != kNoNode && reached[site.value]);
  return steers;
}

SiteRelation close(const ProgramDependence& dependence, bool memory) {
  const Condensed graph = condense(dependence.graph, memory);
  const Numbered sources = number(dependence.sites, graph.components, [](const SiteNodes& site) { return site.value; });
  const Numbered targets = number(dependence.sites, graph.components, [](const SiteNodes& site) { return site.action; });
  SiteRelation result(static_cast<uint32_t>(targets.component.size()), static_cast<uint32_t>(sources.component.size()));
  result.later_class = targets.class_of;
  result.earlier_class = sources.class_of;
  result.steers = find_steering(dependence, memory);
  std::vector<Chunk> reached(graph.components.count);
  for (size_t first = 0; first < sources.component.size(); first += kWords * 64) {
    std::fill(reached.begin(), reached.end(), Chunk{});
    const size_t last = std::min(first + kWords * 64, sources.component.size());
    for (size_t i = first; i < last; ++i)
      reached[sources.component[i]][(i - first) / 64] |= uint64_t{1} << (i - first) % 64;
    for (uint32_t from = graph.components.count; from-- > 0;) {
      const Chunk& set = reached[from];
      if (set == Chunk{}) continue;
      for (uint32_t i = graph.start[from]; i < graph.start[from + 1]; ++i)
        for (size_t word = 0; word < kWords; ++word) reached[graph.edges[i]][word] |= set[word];
    }
    for (uint32_t target = 0; target < targets.component.size(); ++target)
      for (size_t word = 0; word < kWords && first / 64 + word < result.words(); ++word)
        result.word(target, first / 64 + word) = reached[targets.component[target]][word];
  }
  return result;
}

}  // namespace

SiteDependence close_over_sites(const ProgramDependence& dependence) {
  std::vector<uint32_t> sites;
  std::vector<bool> several;
  for (const SiteNodes& site : dependence.sites) {
    sites.push_back(site.site);
    several.push_back(site.several);
  }
  return SiteDependence(std::move(sites), std::move(several), close(dependence, false), close(dependence, true));
}

}  // namespace heddle::program
