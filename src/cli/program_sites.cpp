// SPDX-License-Identifier: Apache-2.0
//
// heddle program sites: the instrumented instructions, by the numbers that
// traces and schedules use.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "abi/version.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/program_view.h"

namespace heddle::cli {
namespace {

int print_sites(const ViewOptions& options) {
  auto program = view(options, build::ViewDepth::kSites);
  if (!program) return report(program.error());
  if (options.format == "json") {
    nlohmann::ordered_json result = {{"schema", 1},
                                     {"tool", "heddle"},
                                     {"version", HEDDLE_VERSION},
                                     {"command", "program sites"},
                                     {"program", {{"name", program->name}, {"hash", program->hash}}},
                                     {"sites", nlohmann::ordered_json::array()}};
    for (const build::SiteLine& line : program->view.sites)
      result["sites"].push_back({{"site", line.number},
                                 {"kind", line.kind},
                                 {"file", line.site.file},
                                 {"line", line.site.line},
                                 {"column", line.site.column},
                                 {"function", line.site.function},
                                 {"variable", line.site.variable}});
    say("{}\n", result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return kNothingFound;
  }
  for (const build::SiteLine& line : program->view.sites)
    say("{:6}  {:24} {:32} {:20} {}\n", line.number, line.kind,
        fmt::format("{}:{}:{}", line.site.file, line.site.line, line.site.column), line.site.function,
        line.site.variable);
  return kNothingFound;
}

}  // namespace

void add_program_sites(CLI::App& program, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command =
      program.add_subcommand("sites", "list the instrumented instructions: number, kind, place, function, variable");
  add_view_options(*command, *options, {"text", "json"});
  set_help(*command, {{{"heddle program sites prog.c", ""}}, "", "0 printed, 3 bad input"});
  command->callback([options, &action] { action = [options] { return print_sites(*options); }; });
}

}  // namespace heddle::cli
