// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace heddle::cli {

report::ColumnOptions terminal_columns() {
  report::ColumnOptions options;
  const bool on_terminal = isatty(STDOUT_FILENO);
  winsize size = {};
  const char* columns = std::getenv("COLUMNS");
  if (const int wanted = columns ? std::atoi(columns) : 0; wanted > 0) {
    options.width = static_cast<size_t>(wanted);
  } else if (on_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.width = size.ws_col;
  }
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  options.colour = on_terminal && !(no_color && *no_color) && !(kind && std::strcmp(kind, "dumb") == 0);
  return options;
}

}  // namespace heddle::cli
