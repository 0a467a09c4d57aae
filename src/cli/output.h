// SPDX-License-Identifier: Apache-2.0
//
// Everything that heddle prints. Standard output is the answer, standard error is
// talk. Printing never throws and never ends the program: an answer that was lost
// (full disk, closed pipe) becomes exit code 74 at the end, lost talk nothing.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace heddle::cli {

// A part of the answer.
void say_text(std::string_view text);
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  say_text(fmt::format(format, std::forward<Values>(values)...));
}

// Talk.
void tell_text(std::string_view text);
template <typename... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  tell_text(fmt::format(format, std::forward<Values>(values)...));
}

// Sends what was said on its way. False: a part of the answer is lost.
bool flush_answer();

// `code`, unless the answer that it belongs to could not be printed: then 74, and standard error says so.
int code_of_answer(int code);

}  // namespace heddle::cli
