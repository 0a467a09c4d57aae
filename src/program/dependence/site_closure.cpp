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

SiteRelation close(const ProgramDependence& dependence, bool memory) {
  const Condensed graph = condense(dependence.graph, memory);
  const Numbered sources = number(dependence.sites, graph.components, [](const SiteNodes& site) { return site.value; });
  const Numbered targets = number(dependence.sites, graph.components, [](const SiteNodes& site) { return site.action; });
  SiteRelation result(static_cast<uint32_t>(targets.component.size()), static_cast<uint32_t>(sources.component.size()));
  result.later_class = targets.class_of;
  result.earlier_class = sources.class_of;
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

bool decides(NodeKind kind) {
  return kind == NodeKind::kDecision || kind == NodeKind::kEntry || kind == NodeKind::kReturns || kind == NodeKind::kUnwinds;
}

// By component: it leads to something that decides where the thread goes.
std::vector<bool> find_steering(const DependenceGraph& graph, const Condensed& condensed) {
  std::vector<bool> steers(condensed.components.count);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (decides(graph.node(node).kind)) steers[condensed.components.of[node]] = true;
  for (uint32_t from = 0; from < condensed.components.count; ++from)
    for (uint32_t i = condensed.start[from]; i < condensed.start[from + 1]; ++i)
      if (steers[condensed.edges[i]]) steers[from] = true;
  return steers;
}

}  // namespace

SiteDependence close_over_sites(const ProgramDependence& dependence) {
  const Condensed condensed = condense(dependence.graph, false);
  const std::vector<bool> steers = find_steering(dependence.graph, condensed);
  std::vector<uint32_t> sites;
  std::vector<bool> several, steering;
  for (const SiteNodes& site : dependence.sites) {
    sites.push_back(site.site);
    several.push_back(site.several);
    steering.push_back(site.value != kNoNode && steers[condensed.components.of[site.value]]);
  }
  return SiteDependence(std::move(sites), std::move(several), std::move(steering), close(dependence, false),
                        close(dependence, true));
}

}  // namespace heddle::program
