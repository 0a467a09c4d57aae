// SPDX-License-Identifier: Apache-2.0
//
// Entry for libFuzzer: any bytes go through the reader, and what it accepts goes
// through everything that takes a trace. Checksums would stop nearly all of what
// a fuzzer makes at the door, so the first byte chooses: read the bytes as a
// file, or make them the content of an event chunk, or the text of an import.
// Not part of the ordinary build:
//
//   clang++-19 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/trace_reader_fuzz.cpp
//       src/trace/*.cpp src/base/*.cpp -lfmt -lxxhash -lzstd -o trace_reader_fuzz
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "trace/diff.h"
#include "trace/event_decoder.h"
#include "trace/export_perfetto.h"
#include "trace/export_std.h"
#include "trace/reader.h"
#include "trace/stats.h"
#include "trace/text.h"
#include "trace/validate.h"

namespace {

using namespace heddle::trace;

void use(const Trace& trace) {
  const auto nowhere = [](std::string_view) {};
  (void)validate(trace);
  (void)stats_text(trace, collect_stats(trace));
  export_perfetto(trace, nowhere);
  (void)static_cast<bool>(export_std(trace, nowhere));
  if (!compare(trace, trace).equal()) std::abort();
  const auto again = parse_text(write_text(trace), "again");
  if (!again || !(*again == trace)) std::abort();
}

void read(std::string_view bytes) {
  for (const bool salvage : {false, true}) {
    ReadOptions options;
    options.salvage = salvage;
    options.max_events = 1 << 20;
    const auto trace = read_trace_bytes(bytes, "fuzz", options);
    if (trace) use(*trace);
  }
}

void decode(std::string_view bytes) {
  auto decoder = std::make_unique<EventDecoder>();
  decoder->begin(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0, bytes.size() % 2 == 0);
  HeddleRecord record{};
  uint64_t sequence = 0;
  uint32_t count = 0;
  while (decoder->next(&record, &sequence)) ++count;
  if (count > kMaxEventsPerChunk) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0: read(bytes); break;
    case 1: decode(bytes); break;
    default: {
      const auto trace = import_std(bytes, "fuzz");
      if (trace) use(*trace);
    }
  }
  return 0;
}
