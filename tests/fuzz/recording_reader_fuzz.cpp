// SPDX-License-Identifier: Apache-2.0
//
// Entry for libFuzzer: any bytes go through the reader of recordings. The hash of the facts and the
// place of the parts would stop nearly all of what a fuzzer makes at the door, so a sound
// beginning is put before the bytes, unless the first of them says otherwise.
// Not part of the ordinary build (bench/record/fuzz):
//
//   clang++-19 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/recording_reader_fuzz.cpp
//       src/record/recording.cpp src/record/streams.cpp src/record/facts.cpp src/record/path.cpp src/base/*.cpp
//       -lfmt -lxxhash -o recording_reader_fuzz
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/files.h"
#include "record/facts.h"
#include "record/recording.h"

namespace {

using namespace heddle::record;

void read(const std::string& bytes) {
  const auto recording = parse_recording(bytes, "fuzz");
  if (!recording) return;
  for (const Thread& thread : recording->threads) {
    PathCursor cursor(thread.path);
    uint64_t bits = 0;
    while (cursor.bit()) ++bits;
    if (bits != thread.path.size()) std::abort();
    for (const Stamp& stamp : thread.stamps)
      if (stamp.before > stamp.after || stamp.after > thread.path.size() + 1) std::abort();
    if (!thread.values.empty() && (!recording->has_values || !thread.from_beginning)) std::abort();
    for (const uint32_t check : thread.values)
      if (check >> HEDDLE_VALUE_BITS) std::abort();
    for (const Note& note : thread.notes)
      if (note.kind == NoteKind::kCore && note.position > thread.path.size()) std::abort();
  }
  if (recording->failure && recording->failure->thread >= recording->threads.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 8 == 0) {
    read(bytes);
    return 0;
  }
  const std::string facts = write_facts({});
  HeddleRecording head = {};
  head.magic = HEDDLE_RECORDING_MAGIC;
  head.values = data[0] >> 7;
  head.version = HEDDLE_RECORDING_VERSION;
  head.facts_offset = sizeof head;
  head.facts_bytes = facts.size();
  head.facts_hash = heddle::base::hash_bytes(facts);
  head.threads_offset = sizeof head + facts.size();
  head.threads = data[0] % 8;
  head.chunks_offset = head.threads_offset + head.threads * sizeof(HeddlePath);
  head.most_chunks = head.all_chunks = head.chunks = 100;
  head.keeps_last = data[0] >> 4 & 1;
  head.cores = data[0] >> 5 & 1;
  head.stamps = data[0] >> 6 & 1;
  head.stamp_margin = 100;
  std::string whole(reinterpret_cast<const char*>(&head), sizeof head);
  read(whole + facts + bytes);
  return 0;
}
