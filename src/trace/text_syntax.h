// SPDX-License-Identifier: Apache-2.0
//
// The words of the text form: quoting, and a scanner over one line. The scanner
// never throws; a function that does not find what it is asked for leaves the
// line where it is and says no.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::trace {

inline constexpr std::string_view kTextMagic = "heddle-trace text 1";

// "a\"b": printable ASCII as it is, everything else escaped.
std::string quote(std::string_view text);

class LineScanner {
 public:
  explicit LineScanner(std::string_view line) : rest_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  // The next word without taking it.
  std::string_view peek() const;
  // The next word, taken; empty at the end of the line.
  std::string_view word();
  // Takes the next word if it is this one.
  bool accept(std::string_view expected);
  // Takes a number, decimal or 0x..., that is a whole word (or the part of one
  // before `end`, which is taken too) and at most `highest`.
  bool number(uint64_t* value, uint64_t highest = UINT64_MAX, char end = ' ');
  // Takes a quoted text, up to and without what follows the closing quote.
  bool quoted(std::string* text);
  // Takes one character.
  bool accept_char(char expected);

 private:
  void skip_blanks();
  std::string_view rest_;
};

// A whole number, decimal or 0x..., and nothing else.
bool parse_number(std::string_view word, uint64_t* value);

}  // namespace heddle::trace
