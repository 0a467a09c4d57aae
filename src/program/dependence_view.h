// SPDX-License-Identifier: Apache-2.0
//
// The dependence graph as something to ask about places in the source: what lies
// between two of them, and what depends on one. A copy without LLVM.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace heddle::program {

struct ViewNode {
  std::string what;                 // "load counter", "branch", "memory of counter"
  uint32_t file = 0, function = 0;  // numbers in DependenceView::names
  uint32_t line = 0, column = 0;    // 0: no place in the source
  bool is_segment = false;          // stands for the code up to its place, not for the place
};

struct ViewEdge {
  uint32_t from, to;
  uint8_t kind;  // a number in DependenceView::kinds
};

struct DependenceView {
  std::vector<std::string> names;  // files and functions; 0 is the empty one
  std::vector<std::string> kinds;  // of edges
  std::vector<ViewNode> nodes;
  std::vector<ViewEdge> edges;

  std::string place_of(uint32_t node) const;  // "file.c:12:3", or ""
};

// A step of a chain: the node, and by what kind of edge it depends on the one before.
struct ChainStep {
  uint32_t node;
  std::string kind;  // empty for the first
};

// Asks a view; the view must outlive it.
class DependenceQuery {
 public:
  explicit DependenceQuery(const DependenceView& view);

  // Nodes at "file:line", "file:line:column" or in a function of that name. An
  // error if there is nothing.
  base::Result<std::vector<uint32_t>> nodes_at(const std::string& place) const;

  // A shortest chain of dependences from one of the first to one of the last
  // nodes; empty if there is none.
  std::vector<ChainStep> chain(const std::vector<uint32_t>& from, const std::vector<uint32_t>& to) const;

  // All nodes that depend on these, or that these depend on; ascending, without
  // the given ones unless they do so themselves.
  std::vector<uint32_t> reached(const std::vector<uint32_t>& start, bool forward) const;

 private:
  struct Arrows {
    std::vector<uint32_t> start;
    std::vector<std::pair<uint32_t, uint8_t>> others;
  };
  const DependenceView& view_;
  Arrows forward_, backward_;
};

// The graph, or the part of it with these nodes, in Graphviz's language.
std::string to_dot(const DependenceView& view, const std::vector<uint32_t>& nodes);

}  // namespace heddle::program
