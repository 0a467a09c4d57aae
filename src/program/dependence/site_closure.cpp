// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/site_closure.h"

#include <array>
#include <map>

#include "program/dependence/call_summaries.h"
#include "program/dependence/components.h"

namespace heddle::program {
namespace {

constexpr size_t kWords = 8;
using Chunk = std::array<uint64_t, kWords>;

// The graph for one relation. Paths must make sense: what enters a function at
// one call does not leave it at another. So every node is there twice: as reached
// without an open call, and as reached inside of one, where returning is closed.
// Summaries lead past calls; memory forgets what was open.
struct PathGraph {
  uint32_t nodes = 0;                    // of the dependence graph; twice as many here
  std::vector<uint32_t> start, targets;  // by node: where it leads

  uint32_t outside(NodeId node) const { return node; }
  uint32_t inside(NodeId node) const { return node + nodes; }
};

PathGraph path_graph(const ProgramDependence& dependence, const std::vector<std::pair<NodeId, NodeId>>& summaries,
                     bool memory) {
  const DependenceGraph& graph = dependence.graph;
  PathGraph result;
  result.nodes = static_cast<uint32_t>(graph.nodes());
  result.start.assign(size_t{result.nodes} * 2 + 1, 0);
  for (const bool is_inside : {false, true}) {
    size_t summary = 0;
    for (NodeId node = 0; node < result.nodes; ++node) {
      const auto lead = [&](NodeId to, bool stays_inside) {
        result.targets.push_back(stays_inside ? result.inside(to) : result.outside(to));
      };
      for (const DependenceEdge& edge : graph.out_of(node)) {
        switch (edge.kind) {
          case EdgeKind::kThread: break;  // others' influence comes through operations of this thread
          case EdgeKind::kData:
          case EdgeKind::kControl: lead(edge.other, is_inside); break;
          case EdgeKind::kParameterIn: lead(edge.other, true); break;
          case EdgeKind::kCall:
            // From an entry to the function's own operations it is no call any more.
            lead(edge.other, is_inside || graph.node(edge.other).kind == NodeKind::kEntry);
            break;
          case EdgeKind::kParameterOut:
            if (!is_inside) lead(edge.other, false);
            break;
          case EdgeKind::kTracedMemory:
            if (memory) lead(edge.other, false);
            break;
          case EdgeKind::kMemory:
          case EdgeKind::kState: lead(edge.other, false); break;
        }
      }
      for (; summary < summaries.size() && summaries[summary].first == node; ++summary)
        lead(summaries[summary].second, is_inside);
      result.start[(is_inside ? result.inside(node) : result.outside(node)) + 1] =
          static_cast<uint32_t>(result.targets.size());
    }
  }
  return result;
}

// The graph with cycles made one node. What a component depends on has a higher number.
struct Condensed {
  Components components;
  std::vector<uint32_t> start, edges;  // by component: what it leads to
};

Condensed condense(const PathGraph& graph) {
  const uint32_t count = graph.nodes * 2;
  Condensed result;
  result.components = strong_components(
      count, [&](uint32_t node) { return graph.start[node + 1] - graph.start[node]; },
      [&](uint32_t node, size_t i) { return graph.targets[graph.start[node] + i]; });
  std::vector<uint64_t> between;
  for (uint32_t node = 0; node < count; ++node)
    for (uint32_t i = graph.start[node]; i < graph.start[node + 1]; ++i) {
      const uint32_t from = result.components.of[node], to = result.components.of[graph.targets[i]];
      if (from != to) between.push_back(uint64_t{from} << 32 | to);
    }
  std::sort(between.begin(), between.end());
  between.erase(std::unique(between.begin(), between.end()), between.end());
  result.start.assign(result.components.count + 1, 0);
  for (const uint64_t edge : between) {
    ++result.start[(edge >> 32) + 1];
    result.edges.push_back(static_cast<uint32_t>(edge));
  }
  for (size_t i = 0; i < result.components.count; ++i) result.start[i + 1] += result.start[i];
  return result;
}

// Values that are in one cycle are one source; actions that are reached alike one target.
struct Numbered {
  std::vector<std::pair<uint32_t, uint32_t>> components;  // by class: as outside and as inside
  std::vector<uint32_t> class_of;                         // by site
};

template <typename NodeOf>
Numbered number(const std::vector<SiteNodes>& sites, const PathGraph& graph, const Components& components,
                const NodeOf& node_of) {
  Numbered result;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
  for (const SiteNodes& site : sites) {
    const NodeId node = node_of(site);
    if (node == kNoNode) {
      result.class_of.push_back(SiteDependence::kNoClass);
      continue;
    }
    const std::pair both(components.of[graph.outside(node)], components.of[graph.inside(node)]);
    const auto [found, is_new] = known.try_emplace(both, static_cast<uint32_t>(result.components.size()));
    if (is_new) result.components.push_back(both);
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

std::vector<bool> find_steering(const ProgramDependence& dependence, const PathGraph& graph,
                                const Condensed& condensed) {
  // Along the edges against their direction: a component steers if one it leads to does.
  std::vector<bool> steers(condensed.components.count, false);
  for (const NodeId node : steering_nodes(dependence))
    steers[condensed.components.of[graph.outside(node)]] = steers[condensed.components.of[graph.inside(node)]] = true;
  for (uint32_t from = 0; from < condensed.components.count; ++from)
    for (uint32_t i = condensed.start[from]; i < condensed.start[from + 1]; ++i)
      if (steers[condensed.edges[i]]) steers[from] = true;
  std::vector<bool> result;
  for (const SiteNodes& site : dependence.sites)
    result.push_back(site.value != kNoNode && steers[condensed.components.of[graph.outside(site.value)]]);
  return result;
}

SiteRelation close(const ProgramDependence& dependence, const std::vector<std::pair<NodeId, NodeId>>& summaries,
                   bool memory) {
  const PathGraph paths = path_graph(dependence, summaries, memory);
  const Condensed graph = condense(paths);
  const Numbered sources =
      number(dependence.sites, paths, graph.components, [](const SiteNodes& site) { return site.value; });
  const Numbered targets =
      number(dependence.sites, paths, graph.components, [](const SiteNodes& site) { return site.action; });
  SiteRelation result(static_cast<uint32_t>(targets.components.size()),
                      static_cast<uint32_t>(sources.components.size()));
  result.later_class = targets.class_of;
  result.earlier_class = sources.class_of;
  result.steers = find_steering(dependence, paths, graph);
  std::vector<Chunk> reached(graph.components.count);
  for (size_t first = 0; first < sources.components.size(); first += kWords * 64) {
    std::fill(reached.begin(), reached.end(), Chunk{});
    const size_t last = std::min(first + kWords * 64, sources.components.size());
    for (size_t i = first; i < last; ++i)
      reached[sources.components[i].first][(i - first) / 64] |= uint64_t{1} << (i - first) % 64;
    for (uint32_t from = graph.components.count; from-- > 0;) {
      const Chunk& set = reached[from];
      if (set == Chunk{}) continue;
      for (uint32_t i = graph.start[from]; i < graph.start[from + 1]; ++i)
        for (size_t word = 0; word < kWords; ++word) reached[graph.edges[i]][word] |= set[word];
    }
    for (uint32_t target = 0; target < targets.components.size(); ++target) {
      const auto [outside, inside] = targets.components[target];
      for (size_t word = 0; word < kWords && first / 64 + word < result.words(); ++word)
        result.word(target, first / 64 + word) = reached[outside][word] | reached[inside][word];
    }
  }
  result.share_rows();
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
  const auto summaries = summarize_calls(dependence);
  return SiteDependence(std::move(sites), std::move(several), close(dependence, summaries, false),
                        close(dependence, summaries, true));
}

}  // namespace heddle::program
