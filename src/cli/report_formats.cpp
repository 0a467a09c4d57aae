// SPDX-License-Identifier: Apache-2.0
#include "cli/report_formats.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/files.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/graphml.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/run_directory.h"
#include "report/run_result.h"
#include "report/run_text.h"
#include "report/sarif.h"

namespace heddle::cli {

CLI::Option* add_format_option(CLI::App& command, std::string& format) {
  return command
      .add_option("--format", format,
                  "form of the answer; json: result.json as it is kept; sarif: SARIF 2.1.0; junit: JUnit XML; html: "
                  "one file, its path is printed")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit", "html"}))
      ->capture_default_str();
}

CLI::Option* add_all_formats_option(CLI::App& command, std::string& format) {
  return command
      .add_option("--format", format,
                  "form of the answer; json: result.json as it is kept; sarif: SARIF 2.1.0; junit: JUnit XML; html: "
                  "one file, its path is printed; "
                  "graphml: the first finding as a violation witness of SV-COMP")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit", "html", "graphml"}))
      ->capture_default_str();
}

base::Result<std::string> formatted_run(const std::string& directory, const std::string& format,
                                        const std::string& color) {
  auto run = report::read_run(directory);
  if (!run) return run.error();
  if (format == "json") return base::read_file(directory + "/result.json");
  if (format == "sarif") return report::sarif_text(*run);
  if (format == "junit") return report::junit_text(*run);
  if (format == "html") return report::html_text(*run);
  if (format == "graphml") return report::graphml_text(*run);
  return report::run_text(std::move(*run), terminal_columns(color));
}

std::string formatted_result(const std::string& directory, const std::string& json,
                             const std::vector<property::Finding>& findings, const std::string& format) {
  if (format == "json") return json;
  const report::RunResult run = report::result_of(directory, json, findings);
  if (format == "junit") return report::junit_text(run);
  return report::sarif_text(run);
}

base::Result<void> print_formatted(const std::string& directory, const std::string& format) {
  auto text = formatted_run(directory, format, "auto");
  if (!text) return text.error();
  if (format != "html") {
    say_text(*text);
    return {};
  }
  const std::string path = report::html_file(directory);
  if (auto written = base::write_file(path, *text); !written) return written;
  say("{}\n", path);
  return {};
}

}  // namespace heddle::cli
