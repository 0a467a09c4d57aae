// SPDX-License-Identifier: Apache-2.0
//
// Texts from anywhere, made safe to stand in HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

// For text and for attributes in double quotes. What is no UTF-8, and control characters that XML forbids,
// become U+FFFD.
std::string escaped_markup(std::string_view text);

// JSON to stand in a script element of HTML: it holds no "<", so it can neither
// end the element nor begin a comment.
std::string escaped_json(std::string_view json);

}  // namespace heddle::report
