// SPDX-License-Identifier: Apache-2.0
//
// What the path does not tell: targets of indirect calls, results of calls that bring input, and the
// bytes they wrote.
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "abi/cpp_streams.h"
#include "record.h"
#include "scanned_format.h"

using namespace heddle::record_run;

namespace {

constexpr size_t kPieceBytes = 32 << 10;

void note_range(const void* address, size_t bytes, uint32_t site) {
  HeddlePath* record = recorded_thread();
  if (!record || !address) return;
  const int before = errno;
  for (size_t done = 0; done < bytes;) {
    const size_t piece = bytes - done < kPieceBytes ? bytes - done : kPieceBytes;
    const auto words = static_cast<uint32_t>((piece + 7) / 8);
    const uint64_t head[] = {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_BYTES, words + 2, site),
                             reinterpret_cast<uint64_t>(address) + done, piece};
    append_bytes(*record, head, 3, static_cast<const char*>(address) + done, piece);
    done += piece;
  }
  errno = before;
}

}  // namespace

HEDDLE_EXPORT void __heddle_note_target(const void* address, uint32_t site) {
  HeddlePath* record = recorded_thread();
  const auto word = reinterpret_cast<uint64_t>(address);
  if (record) note(*record, HEDDLE_NOTE_TARGET, site, &word, 1);
}

HEDDLE_EXPORT void __heddle_note_result(uint64_t value, uint32_t site) {
  HeddlePath* record = recorded_thread();
  if (!record) return;
  const int before = errno;
  note(*record, HEDDLE_NOTE_RESULT, site, &value, 1);
  errno = before;
}

HEDDLE_EXPORT void __heddle_note_bytes(const void* address, int64_t bytes, uint32_t site) {
  if (bytes > 0) note_range(address, static_cast<size_t>(bytes), site);
}

HEDDLE_EXPORT void __heddle_note_string(const char* address, uint64_t limit, uint32_t site) {
  if (!address || limit == 0) return;
  const size_t length = limit == ~0ull ? strlen(address) : strnlen(address, limit - 1);
  note_range(address, length + 1, site);
}

HEDDLE_EXPORT void __heddle_note_behind(char* const* pointer, int64_t bytes, uint32_t site) {
  if (pointer && bytes >= 0) note_range(*pointer, static_cast<size_t>(bytes) + 1, site);
}

HEDDLE_EXPORT void __heddle_note_text(const void* text, uint32_t site) {
  const auto* fields = static_cast<const HeddleString*>(text);
  note_range(text, sizeof(HeddleString), site);
  if (fields->begin != fields->room) note_range(fields->begin, fields->size + 1, site);
}

// How the C++ library's stream stands after a call.
HEDDLE_EXPORT void __heddle_note_stream(void* stream, uint32_t site) {
  HeddleStreamState state = {};
  memcpy(&state.taken, static_cast<char*>(stream) + HEDDLE_ISTREAM_TAKEN, sizeof state.taken);
  memcpy(&state.bits, heddle_ios_of(stream) + HEDDLE_ISTREAM_STATE, sizeof state.bits);
  note_range(&state, sizeof state, site);
}

HEDDLE_EXPORT void __heddle_note_scanned(uint32_t site, int64_t converted, const char* format, ...) {
  va_list places;
  va_start(places, format);
  for (int64_t done = 0; done < converted; ++done) {
    const heddle::rt::Conversion conversion = heddle::rt::next_conversion(format);
    if (!conversion.writes) break;
    const void* place = va_arg(places, const void*);
    if (conversion.allocates) place = *static_cast<char* const*>(place);
    note_range(place, conversion.bytes ? conversion.bytes : strlen(static_cast<const char*>(place)) + 1, site);
  }
  va_end(places);
}
