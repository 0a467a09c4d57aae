// SPDX-License-Identifier: Apache-2.0
//
// heddle program deps: why one place of a program depends on another, what
// depends on a place, or how large the dependence graph is.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>

#include "abi/version.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/program_view.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;
using program::DependenceQuery;
using program::DependenceView;

struct Options : ViewOptions {
  std::string from, to;
};

std::vector<size_t> edges_by_kind(const DependenceView& graph) {
  std::vector<size_t> counts(graph.kinds.size(), 0);
  for (const program::ViewEdge& edge : graph.edges) ++counts[edge.kind];
  return counts;
}

Json place_json(const DependenceView& graph, uint32_t node) {
  const program::ViewNode& at = graph.nodes[node];
  if (at.line == 0) return nullptr;
  return {
      {"file", graph.names[at.file]}, {"line", at.line}, {"column", at.column}, {"function", graph.names[at.function]}};
}

Json answer_json(const ViewedProgram& program, const Options& options) {
  const auto place_or_null = [](const std::string& place) { return place.empty() ? Json(nullptr) : Json(place); };
  return {{"schema", 1},
          {"tool", "heddle"},
          {"version", HEDDLE_VERSION},
          {"command", "program deps"},
          {"program", {{"name", program.name}, {"hash", program.hash}}},
          {"from", place_or_null(options.from)},
          {"to", place_or_null(options.to)}};
}

int print_summary(const ViewedProgram& program, const Options& options) {
  const DependenceView& graph = program.view.graph;
  const std::vector<size_t> counts = edges_by_kind(graph);
  if (options.format == "dot") {
    std::vector<uint32_t> all(graph.nodes.size());
    std::iota(all.begin(), all.end(), 0u);
    say("{}", program::to_dot(graph, all));
  } else if (options.format == "json") {
    Json result = answer_json(program, options);
    result["nodes"] = graph.nodes.size();
    for (size_t i = 0; i < counts.size(); ++i) result["edges"][graph.kinds[i]] = counts[i];
    result["cpu_seconds"] = program.view.seconds;
    result["table"] = {{"sites", program.view.table_sites},
                       {"bytes", program.view.table_bytes},
                       {"cpu_seconds", program.view.table_seconds}};
    say("{}\n", result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    say("{} nodes, {} edges, found in {:.2f} s\n", graph.nodes.size(), graph.edges.size(), program.view.seconds);
    for (size_t i = 0; i < counts.size(); ++i) say("{:10}  {}\n", counts[i], graph.kinds[i]);
    say("table of {} sites, {} bytes, made in {:.2f} s\n", program.view.table_sites, program.view.table_bytes,
        program.view.table_seconds);
  }
  return kNothingFound;
}

int print_chain(const ViewedProgram& program, const Options& options, const std::vector<program::ChainStep>& chain) {
  const DependenceView& graph = program.view.graph;
  if (options.format == "dot") {
    std::vector<uint32_t> nodes;
    for (const program::ChainStep& step : chain) nodes.push_back(step.node);
    say("{}", program::to_dot(graph, nodes));
  } else if (options.format == "json") {
    Json result = answer_json(program, options);
    result["depends"] = !chain.empty();
    result["chain"] = Json::array();
    for (const program::ChainStep& step : chain)
      result["chain"].push_back({{"kind", step.kind.empty() ? Json(nullptr) : Json(step.kind)},
                                 {"what", graph.nodes[step.node].what},
                                 {"place", place_json(graph, step.node)}});
    say("{}\n", result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (chain.empty()) {
    say("{} does not depend on {}\n", options.to, options.from);
  } else {
    say("{} may depend on {}:\n", options.to, options.from);
    for (const program::ChainStep& step : chain)
      say("  {:14} {:28} {}\n", step.kind, graph.place_of(step.node), graph.nodes[step.node].what);
  }
  return kNothingFound;
}

// All that depends on a place, or that it depends on, by place.
int print_slice(const ViewedProgram& program, const Options& options, const std::vector<uint32_t>& nodes) {
  const DependenceView& graph = program.view.graph;
  if (options.format == "dot") {
    say("{}", program::to_dot(graph, nodes));
    return kNothingFound;
  }
  std::set<std::tuple<std::string, uint32_t, uint32_t, std::string>> places;
  for (const uint32_t node : nodes) {
    const program::ViewNode& at = graph.nodes[node];
    if (at.line) places.insert({graph.names[at.file], at.line, at.column, graph.names[at.function]});
  }
  if (options.format == "json") {
    Json result = answer_json(program, options);
    result["places"] = Json::array();
    for (const auto& [file, line, column, function] : places)
      result["places"].push_back({{"file", file}, {"line", line}, {"column", column}, {"function", function}});
    say("{}\n", result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return kNothingFound;
  }
  if (places.empty()) say("nothing\n");
  for (const auto& [file, line, column, function] : places)
    say("{:32} {}\n", fmt::format("{}:{}:{}", file, line, column), function);
  return kNothingFound;
}

int answer(const Options& options) {
  const bool summary = options.from.empty() && options.to.empty();
  auto program = view(options, summary ? build::ViewDepth::kGraphAndTable : build::ViewDepth::kGraph);
  if (!program) return report(program.error());
  if (summary) return print_summary(*program, options);
  const DependenceQuery query(program->view.graph);
  std::vector<uint32_t> from, to;
  for (const auto& [place, nodes] : {std::pair(&options.from, &from), std::pair(&options.to, &to)}) {
    if (place->empty()) continue;
    auto found = query.nodes_at(*place);
    if (!found) return report(found.error());
    *nodes = std::move(*found);
  }
  if (options.to.empty()) return print_slice(*program, options, query.reached(from, true));
  if (options.from.empty()) return print_slice(*program, options, query.reached(to, false));
  return print_chain(*program, options, query.chain(from, to));
}

}  // namespace

void add_program_deps(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("deps", "why one place depends on another; what depends on a place");
  add_view_options(*command, *options, {"text", "json", "dot"});
  command->add_option("--from", options->from, "file:line, file:line:column or function; alone: all that depends on it")
      ->type_name("PLACE");
  command->add_option("--to", options->to, "likewise; alone: all that it depends on")->type_name("PLACE");
  set_help(*command,
           {{{"heddle program deps examples/01_lost_update/lost_update.c --from lost_update.c:13 --to lost_update.c:23",
              ""}},
            "Without --from and --to: how many nodes and edges the dependence graph has.",
            "0 answered, 3 there is no such place"});
  command->callback([options, &action] { action = [options] { return answer(*options); }; });
}

}  // namespace heddle::cli
