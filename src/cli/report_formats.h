// SPDX-License-Identifier: Apache-2.0
//
// The forms in which a run is reported, shared by `heddle report` and the
// analyses: text, json, sarif, junit, html; graphml.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "property/finding.h"

namespace heddle::cli {

// --format, "text" if not given.
CLI::Option* add_format_option(CLI::App& command, std::string& format);
// The same and graphml, which not every run has.
CLI::Option* add_all_formats_option(CLI::App& command, std::string& format);

// The report of the run in `directory`; `format` is one of the above, `color` that of add_color_option.
base::Result<std::string> formatted_run(const std::string& directory, const std::string& format,
                                        const std::string& color);

// The text of a result that is not kept yet, for formats that need no more: json, sarif, junit.
std::string formatted_result(const std::string& directory, const std::string& json,
                             const std::vector<property::Finding>& findings, const std::string& format);

// What an analysis does for a format other than text, after its run is kept: an HTML
// report is written beside the result and its path printed; others are printed.
base::Result<void> print_formatted(const std::string& directory, const std::string& format);

}  // namespace heddle::cli
