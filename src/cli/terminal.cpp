// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "cli/option_table.h"

namespace heddle::cli {
namespace {

bool shows_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) && !(kind && std::strcmp(kind, "dumb") == 0);
}

}  // namespace

size_t terminal_width() {
  const char* columns = std::getenv("COLUMNS");
  if (const int wanted = columns ? std::atoi(columns) : 0; wanted > 0) return static_cast<size_t>(wanted);
  winsize size = {};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return report::ColumnOptions{}.width;
}

void add_color_option(CLI::App& command, std::string& color) {
  command.add_option("--color", color, "colours; auto: on a terminal, unless NO_COLOR is set")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  seldom_needed(command, {"--color"});
}

report::ColumnOptions terminal_columns(const std::string& color) {
  report::ColumnOptions options;
  options.width = terminal_width();
  options.colour = color == "always" || (color != "never" && shows_colour());
  return options;
}

}  // namespace heddle::cli
