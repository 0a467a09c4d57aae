// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <atomic>
#include <cstdio>

#include "cli/exit_codes.h"

namespace heddle::cli {

namespace {

std::atomic<bool> g_is_lost = false;  // a part of the answer

}  // namespace

void say_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) g_is_lost = true;
}

void tell_text(std::string_view text) { (void)!std::fwrite(text.data(), 1, text.size(), stderr); }

bool flush_answer() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) g_is_lost = true;
  return !g_is_lost;
}

int code_of_answer(int code) {
  if (flush_answer()) return code;
  tell("heddle: the answer could not be printed: standard output is full or closed\n");
  const bool has_answer = code == kNothingFound || code == kFinding || code == kUndecided || code == kInterrupted;
  return has_answer ? kAnswerLost : code;
}

}  // namespace heddle::cli
