// SPDX-License-Identifier: Apache-2.0
#include "report/markup.h"

#include <cstdint>

namespace heddle::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// Length of the UTF-8 sequence at the beginning of `text`; 0 if there is none.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xc2 && first < 0xe0 ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && byte(1) < 0xa0) return 0;                      // written too long
  if (first == 0xed && byte(1) >= 0xa0) return 0;                     // half of a pair
  if (first == 0xf0 && byte(1) < 0x90) return 0;                      // written too long
  if (first == 0xf4 && byte(1) >= 0x90) return 0;                     // above U+10FFFF
  if (first == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe) return 0;  // no character
  return length;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    const char letter = text[0];
    if (length == 0 || (static_cast<uint8_t>(letter) < 0x20 && letter != '\t' && letter != '\n') || letter == 0x7f) {
      result += kReplacement;
    } else if (letter == '<') {
      result += "&lt;";
    } else if (letter == '>') {
      result += "&gt;";
    } else if (letter == '&') {
      result += "&amp;";
    } else if (letter == '"') {
      result += "&quot;";
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length ? length : 1);
  }
  return result;
}

std::string escaped_json(std::string_view json) {
  std::string result;
  result.reserve(json.size() + json.size() / 16);
  for (const char letter : json) {
    if (letter == '<') {
      result += "\\u003c";
    } else {
      result += letter;
    }
  }
  return result;
}

}  // namespace heddle::report
