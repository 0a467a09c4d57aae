// SPDX-License-Identifier: Apache-2.0
//
// heddle report: the report of a run, made again from what it left on disk.
// heddle list: which runs there are.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/report_formats.h"
#include "cli/terminal.h"
#include "report/run_directory.h"
#include "report/run_result.h"

namespace heddle::cli {
namespace {

struct Choices {
  std::string run, format = "text", output, color = "auto";
};

int make_report(const Choices& choices) {
  auto directory = choices.run.empty() ? report::latest_run() : report::find_run(choices.run);
  if (!directory) return report(directory.error());
  auto text = formatted_run(*directory, choices.format, choices.color);
  if (!text) return report(text.error());
  std::string output = choices.output;
  if (output.empty()) output = choices.format == "html" ? report::html_file(*directory) : "-";
  if (output != "-") {
    if (auto written = base::write_file(output, *text); !written) return report(written.error());
    say("{}\n", output);
    return kNothingFound;
  }
  say_text(*text);
  return kNothingFound;
}

int list_runs(bool as_json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& directory : report::all_runs()) {
    auto run = report::read_run(directory);
    const std::string name = std::filesystem::path(directory).filename().string();
    if (as_json) {
      list.push_back({{"run", name}, {"directory", directory}, {"verdict", nullptr}, {"findings", 0}});
      if (run)
        list.back().update({{"command", run->command},
                            {"program", run->program},
                            {"verdict", run->verdict},
                            {"findings", run->findings.size()}});
      continue;
    }
    if (!run) {
      say("{:18} no result\n", name);
      continue;
    }
    say("{:18} {:18} {}", name, run->verdict, run->program);
    for (const property::Finding& finding : run->findings)
      say("{} {}", &finding == run->findings.data() ? ":" : ",", finding.kind);
    say("\n");
  }
  if (as_json) say("{}\n", list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return kNothingFound;
}

}  // namespace

void add_report_commands(CLI::App& app, Action& action) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("report", "make the report of a run again, also in other forms");
  command->add_option("run", choices->run, "number or directory of a run; none: the latest")->type_name("RUN");
  add_all_formats_option(*command, choices->format);
  add_color_option(*command, choices->color);
  command
      ->add_option("-o,--output", choices->output,
                   "where to; - is standard output. If not given: of html report.html in the directory of the run, of "
                   "others standard output")
      ->type_name("FILE");
  set_help(*command, {{{"heddle report --format=html", "the latest run as a page, RUN/report.html"},
                       {"heddle report 1 --format=sarif -o heddle.sarif", "run 1 for a viewer or a code host"}},
                      "",
                      "0 made, 3 bad input"});
  command->callback([choices, &action] { action = [choices] { return make_report(*choices); }; });

  auto as_json = std::make_shared<std::string>("text");
  CLI::App* list = app.add_subcommand("list", "list the runs that were kept, the oldest first");
  list->add_option("--format", *as_json, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
  set_help(*list, {{{"heddle list", ""}}, "", "0"});
  list->callback([as_json, &action] { action = [as_json] { return list_runs(*as_json == "json"); }; });
}

}  // namespace heddle::cli
