// SPDX-License-Identifier: Apache-2.0
//
// The formats of scanf: where results go and how large they are. For the recorder,
// which writes them down, and for controlled runs, which are told them again.
#pragma once

#include <stddef.h>
#include <string.h>

namespace heddle::rt {

// One conversion that stores something.
struct Conversion {
  bool writes = false;     // false: the format has no more of them
  bool allocates = false;  // a pointer to a text that the library allocates
  size_t bytes = 0;        // 0: a text, as long as it is
};

// The next one; `format` is then behind it.
inline Conversion next_conversion(const char*& format) {
  Conversion found;
  while (*format) {
    if (*format++ != '%') continue;
    if (*format == '%') {
      ++format;
      continue;
    }
    const bool dropped = *format == '*';
    if (dropped) ++format;
    size_t width = 0;
    for (; *format >= '0' && *format <= '9'; ++format) width = width * 10 + static_cast<size_t>(*format - '0');
    bool allocates = false;
    int longs = 0, shorts = 0;
    for (; *format && strchr("hljztLqm'", *format); ++format) {
      longs += strchr("ljztq", *format) != nullptr;
      shorts += *format == 'h';
      longs += *format == 'L' ? 2 : 0;
      allocates |= *format == 'm';
    }
    const char kind = *format;
    if (!kind) return found;
    ++format;
    if (kind == '[') {
      if (*format == '^') ++format;
      if (*format == ']') ++format;
      while (*format && *format != ']') ++format;
      if (*format) ++format;
    }
    if (dropped) continue;
    found.writes = true;
    found.allocates = allocates;
    if (allocates || kind == 's' || kind == '[') {
      found.bytes = 0;
    } else if (kind == 'p') {
      found.bytes = 8;
    } else if (kind == 'c') {
      found.bytes = width ? width : 1;
    } else if (strchr("aAeEfFgG", kind)) {
      found.bytes = longs >= 2 ? 16 : longs ? 8 : 4;
    } else {
      found.bytes = longs ? 8 : shorts == 1 ? 2 : shorts > 1 ? 1 : 4;
    }
    return found;
  }
  return found;
}

}  // namespace heddle::rt
