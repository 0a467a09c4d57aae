// SPDX-License-Identifier: Apache-2.0
#include "program/dependence_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <queue>
#include <string_view>

namespace heddle::program {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

struct Position {
  std::string_view file;
  uint32_t line = 0, column = 0;
};

bool cut_number(std::string_view& text, uint32_t& value) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return false;
  text = text.substr(0, colon);
  return true;
}

// False: no line, so it may be a function.
bool read_position(std::string_view text, Position& position) {
  uint32_t last = 0;
  if (!cut_number(text, last)) return false;
  if (cut_number(text, position.line)) {
    position.column = last;
  } else {
    position.line = last;
  }
  position.file = text;
  return true;
}

// "src/list.c" names "/home/someone/src/list.c".
bool names_file(std::string_view whole, std::string_view given) {
  if (!whole.ends_with(given)) return false;
  return whole.size() == given.size() || whole[whole.size() - given.size() - 1] == '/';
}

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return "\"" + result + "\"";
}

}  // namespace

std::string DependenceView::place_of(uint32_t node) const {
  const ViewNode& at = nodes[node];
  if (at.line == 0) return "";
  return at.column ? fmt::format("{}:{}:{}", names[at.file], at.line, at.column)
                   : fmt::format("{}:{}", names[at.file], at.line);
}

DependenceQuery::DependenceQuery(const DependenceView& view) : view_(view) {
  for (const bool forward : {true, false}) {
    Arrows& arrows = forward ? forward_ : backward_;
    arrows.start.assign(view.nodes.size() + 1, 0);
    for (const ViewEdge& edge : view.edges) ++arrows.start[(forward ? edge.from : edge.to) + 1];
    for (size_t i = 0; i < view.nodes.size(); ++i) arrows.start[i + 1] += arrows.start[i];
    arrows.others.resize(view.edges.size());
    std::vector<uint32_t> next = arrows.start;
    for (const ViewEdge& edge : view.edges)
      arrows.others[next[forward ? edge.from : edge.to]++] = {forward ? edge.to : edge.from, edge.kind};
  }
}

base::Result<std::vector<uint32_t>> DependenceQuery::nodes_at(const std::string& place) const {
  Position position;
  const bool has_line = read_position(place, position);
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < view_.nodes.size(); ++i) {
    const ViewNode& node = view_.nodes[i];
    if (node.is_segment) continue;
    const bool here = has_line ? node.line == position.line && node.line != 0 &&
                                     (position.column == 0 || node.column == position.column) &&
                                     names_file(view_.names[node.file], position.file)
                               : node.function != 0 && view_.names[node.function] == place;
    if (here) found.push_back(i);
  }
  if (!found.empty()) return found;
  if (!has_line)
    return base::Error{fmt::format("the program has no function {}", place),
                       "a place is file:line, file:line:column, or the name of a function"};
  return base::Error{fmt::format("there is no code at {}", place),
                     "compiled code has places only where something happens; try the line alone, or another one"};
}

std::vector<ChainStep> DependenceQuery::chain(const std::vector<uint32_t>& from,
                                              const std::vector<uint32_t>& to) const {
  std::vector<bool> wanted(view_.nodes.size(), false);
  for (const uint32_t node : to) wanted[node] = true;
  std::vector<std::pair<uint32_t, uint8_t>> before(view_.nodes.size(), {kNone, 0});
  std::queue<uint32_t> queue;
  std::vector<bool> is_start(view_.nodes.size(), false);
  for (const uint32_t node : from) {
    is_start[node] = true;
    queue.push(node);
  }
  while (!queue.empty()) {
    const uint32_t node = queue.front();
    queue.pop();
    for (uint32_t i = forward_.start[node]; i < forward_.start[node + 1]; ++i) {
      const auto [next, kind] = forward_.others[i];
      if (before[next].first != kNone || (is_start[next] && !wanted[next])) continue;
      before[next] = {node, kind};
      if (!wanted[next]) {
        queue.push(next);
        continue;
      }
      std::vector<ChainStep> steps = {{next, view_.kinds[kind]}};
      for (uint32_t at = node;; at = before[at].first) {
        steps.push_back({at, is_start[at] ? "" : view_.kinds[before[at].second]});
        if (is_start[at]) break;
      }
      std::reverse(steps.begin(), steps.end());
      return steps;
    }
  }
  return {};
}

std::vector<uint32_t> DependenceQuery::reached(const std::vector<uint32_t>& start, bool forward) const {
  const Arrows& arrows = forward ? forward_ : backward_;
  std::vector<bool> seen(view_.nodes.size(), false);
  std::vector<uint32_t> stack = start, found;
  while (!stack.empty()) {
    const uint32_t node = stack.back();
    stack.pop_back();
    for (uint32_t i = arrows.start[node]; i < arrows.start[node + 1]; ++i) {
      const uint32_t next = arrows.others[i].first;
      if (seen[next]) continue;
      seen[next] = true;
      found.push_back(next);
      stack.push_back(next);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string to_dot(const DependenceView& view, const std::vector<uint32_t>& nodes) {
  std::vector<bool> shown(view.nodes.size(), false);
  std::string text = "digraph dependences {\n  node [shape=box];\n";
  for (const uint32_t node : nodes) {
    shown[node] = true;
    const std::string place = view.place_of(node);
    text += fmt::format("  n{} [label={}];\n", node,
                        quoted(place.empty() ? view.nodes[node].what : view.nodes[node].what + "  " + place));
  }
  for (const ViewEdge& edge : view.edges)
    if (shown[edge.from] && shown[edge.to])
      text += fmt::format("  n{} -> n{} [label={}];\n", edge.from, edge.to, quoted(view.kinds[edge.kind]));
  return text + "}\n";
}

}  // namespace heddle::program
