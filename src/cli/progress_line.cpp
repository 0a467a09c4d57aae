// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/output.h"

namespace heddle::cli {

ProgressLine::ProgressLine() : on_terminal_(isatty(2)) {}

void ProgressLine::show(double seconds, const std::string& text) {
  constexpr double kOften = 0.2, kNowAndThen = 10;
  if (seconds - last_shown_ <= (on_terminal_ ? kOften : kNowAndThen)) return;
  last_shown_ = seconds;
  tell("{}heddle: {}{}", on_terminal_ ? "\r" : "", text, on_terminal_ ? "\033[K" : "\n");
}

void ProgressLine::clear() {
  if (on_terminal_ && last_shown_ > 0) tell("\r\033[K");
  last_shown_ = 0;
}

}  // namespace heddle::cli
