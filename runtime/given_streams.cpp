// SPDX-License-Identifier: Apache-2.0
//
// Streams of the C library, told what the recorded run was told. A call that is told
// something leaves its stream alone: all calls of the program are, in the order of each thread, so
// nobody sees that. Streams on pipes and sockets that the program made itself are read as usual.
#define __NO_INLINE__ 1  // the header must not define what is defined here
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descriptors.h"
#include "given_inputs.h"
#include "real.h"
#include "scanned_format.h"

using namespace heddle::rt;

namespace {

// What the call was told; null: it is to ask. A stream that has no descriptor changes errno, which is none of our
// business.
const HeddleGivenCall* given_stream(FILE* file) {
  const HeddleGivenCall* given = given_input();
  if (!given) return nullptr;
  const int before = errno;
  const int descriptor = fileno_unlocked(file);
  errno = before;
  return descriptor >= 0 && connects_threads(descriptor) ? nullptr : given;
}

}  // namespace

#define HEDDLE_GIVEN_STREAM_CALL(name, file, ...)                                                               \
  HEDDLE_REAL(name);                                                                                            \
  const HeddleGivenCall* given = called_by_program(__builtin_return_address(0)) ? given_stream(file) : nullptr; \
  if (!given) return real_##name(__VA_ARGS__);

HEDDLE_EXPORT size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(fread, file, bytes, size, count, file)
  return static_cast<size_t>(put_given(*given, bytes, size * count));
}
HEDDLE_EXPORT size_t fread_unlocked(void* bytes, size_t size, size_t count, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(fread_unlocked, file, bytes, size, count, file)
  return static_cast<size_t>(put_given(*given, bytes, size * count));
}
HEDDLE_EXPORT char* fgets(char* text, int size, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(fgets, file, text, size, file)
  put_given(*given, text, static_cast<size_t>(size));
  return given->result ? text : nullptr;
}
HEDDLE_EXPORT char* fgets_unlocked(char* text, int size, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(fgets_unlocked, file, text, size, file)
  put_given(*given, text, static_cast<size_t>(size));
  return given->result ? text : nullptr;
}
HEDDLE_EXPORT int fgetc(FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(fgetc, file, file)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int getc(FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(getc, file, file)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int getchar() {
  HEDDLE_GIVEN_STREAM_CALL(getchar, stdin)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int getc_unlocked(FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(getc_unlocked, file, file)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int getchar_unlocked() {
  HEDDLE_GIVEN_STREAM_CALL(getchar_unlocked, stdin)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int feof(FILE* file) noexcept {
  HEDDLE_GIVEN_STREAM_CALL(feof, file, file)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int ferror(FILE* file) noexcept {
  HEDDLE_GIVEN_STREAM_CALL(ferror, file, file)
  return static_cast<int>(given->result);
}

namespace {

// A line: where the text was and how much room it had do not matter, the text is put into new room.
ssize_t put_line(const HeddleGivenCall& call, char** line, size_t* room) {
  constexpr uint64_t kBefore = 2 * sizeof(uint64_t);
  const auto result = static_cast<int64_t>(call.result);
  if (result < 0 || call.bytes < kBefore) return -1;
  const size_t size = call.bytes - kBefore;
  if (!*line || *room < size) {
    char* larger = static_cast<char*>(realloc(*line, size));
    if (!larger) return -1;
    *line = larger;
    *room = size;
  }
  memcpy(*line, given_bytes(call) + kBefore, size);
  return result;
}

// What scanf stored, one conversion after the other.
int put_scanned(const HeddleGivenCall& call, const char* format, va_list places) {
  const auto result = static_cast<int>(call.result);
  const char* at = given_bytes(call);
  size_t left = call.bytes;
  for (int done = 0; done < result; ++done) {
    const Conversion conversion = next_conversion(format);
    if (!conversion.writes) break;
    const size_t size = conversion.bytes ? conversion.bytes : strnlen(at, left) + 1;
    if (size > left) break;
    void* place = va_arg(places, void*);
    if (conversion.allocates) {
      char* text = static_cast<char*>(malloc(size));
      *static_cast<char**>(place) = text;
      place = text;
    }
    if (place) memcpy(place, at, size);
    at += size;
    left -= size;
  }
  return result;
}

using Scan = int (*)(FILE*, const char*, va_list);

int scan(const HeddleGivenCall* given, Scan real_scan, FILE* file, const char* format, va_list places) {
  return given ? put_scanned(*given, format, places) : real_scan(file, format, places);
}

}  // namespace

HEDDLE_EXPORT ssize_t getline(char** line, size_t* room, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(getline, file, line, room, file)
  return put_line(*given, line, room);
}
HEDDLE_EXPORT ssize_t getdelim(char** line, size_t* room, int end, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(getdelim, file, line, room, end, file)
  return put_line(*given, line, room);
}
HEDDLE_EXPORT ssize_t __getdelim(char** line, size_t* room, int end, FILE* file) {
  HEDDLE_GIVEN_STREAM_CALL(getdelim, file, line, room, end, file)
  return put_line(*given, line, room);
}

// The headers call each of them by several names, one for each version of the language.
#define HEDDLE_GIVEN_SCAN(name, file, real_name, ...)                                                             \
  HEDDLE_EXPORT int heddle_##name(__VA_ARGS__, ...) __asm__(#name);                                               \
  HEDDLE_EXPORT int heddle_##name(__VA_ARGS__, ...) {                                                             \
    static const Scan real_scan = reinterpret_cast<Scan>(dlsym(RTLD_NEXT, #real_name));                           \
    const HeddleGivenCall* given = called_by_program(__builtin_return_address(0)) ? given_stream(file) : nullptr; \
    va_list places;                                                                                               \
    va_start(places, format);                                                                                     \
    const int result = scan(given, real_scan, file, format, places);                                              \
    va_end(places);                                                                                               \
    return result;                                                                                                \
  }
HEDDLE_GIVEN_SCAN(scanf, stdin, vfscanf, const char* format)
HEDDLE_GIVEN_SCAN(__isoc99_scanf, stdin, __isoc99_vfscanf, const char* format)
HEDDLE_GIVEN_SCAN(__isoc23_scanf, stdin, __isoc23_vfscanf, const char* format)
HEDDLE_GIVEN_SCAN(fscanf, file, vfscanf, FILE* file, const char* format)
HEDDLE_GIVEN_SCAN(__isoc99_fscanf, file, __isoc99_vfscanf, FILE* file, const char* format)
HEDDLE_GIVEN_SCAN(__isoc23_fscanf, file, __isoc23_vfscanf, FILE* file, const char* format)
