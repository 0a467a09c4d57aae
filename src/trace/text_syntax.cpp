// SPDX-License-Identifier: Apache-2.0
#include "trace/text_syntax.h"

#include <fmt/format.h>

#include <charconv>

namespace heddle::trace {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool parse_hex(std::string_view digits, uint64_t* value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *value, 16);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return quoted + '"';
}

bool parse_number(std::string_view word, uint64_t* value) {
  if (word.starts_with("0x")) return word.size() > 2 && parse_hex(word.substr(2), value);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value, 10);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

void LineScanner::skip_blanks() {
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
}

std::string_view LineScanner::peek() const {
  size_t length = 0;
  while (length < rest_.size() && !is_blank(rest_[length])) ++length;
  return rest_.substr(0, length);
}

std::string_view LineScanner::word() {
  const std::string_view taken = peek();
  rest_.remove_prefix(taken.size());
  skip_blanks();
  return taken;
}

bool LineScanner::accept(std::string_view expected) {
  if (peek() != expected) return false;
  word();
  return true;
}

bool LineScanner::accept_char(char expected) {
  if (rest_.empty() || rest_.front() != expected) return false;
  rest_.remove_prefix(1);
  return true;
}

bool LineScanner::number(uint64_t* value, uint64_t highest, char end) {
  std::string_view token = peek();
  const size_t stop = end == ' ' ? std::string_view::npos : token.find(end);
  if (end != ' ' && stop == std::string_view::npos) return false;
  token = token.substr(0, stop);
  uint64_t parsed = 0;
  if (!parse_number(token, &parsed) || parsed > highest) return false;
  *value = parsed;
  rest_.remove_prefix(token.size() + (end == ' ' ? 0 : 1));
  skip_blanks();
  return true;
}

bool LineScanner::quoted(std::string* text) {
  if (rest_.empty() || rest_.front() != '"') return false;
  std::string result;
  for (size_t i = 1; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (c == '"') {
      rest_.remove_prefix(i + 1);
      skip_blanks();
      *text = std::move(result);
      return true;
    }
    if (c != '\\') {
      result += c;
      continue;
    }
    const char escape = i + 1 < rest_.size() ? rest_[++i] : '\0';
    uint64_t byte = 0;
    if (escape == 'n') {
      result += '\n';
    } else if (escape == '"' || escape == '\\') {
      result += escape;
    } else if (escape == 'x' && i + 2 < rest_.size() && parse_hex(rest_.substr(i + 1, 2), &byte)) {
      result += static_cast<char>(byte);
      i += 2;
    } else {
      return false;
    }
  }
  return false;
}

}  // namespace heddle::trace
