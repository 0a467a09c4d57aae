// SPDX-License-Identifier: Apache-2.0
#include "record/path_words.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace heddle::record {
namespace {

constexpr uint64_t kBitsOfAWord = 56;  // a word is full when it has so many behind its leading one

}  // namespace

PathWords::PathWords(const Path& path) {
  for (uint64_t i = 0; i < path.size(); ++i) {
    last = last << 1 | uint64_t{path[i]};
    if (last >> kBitsOfAWord == 0) continue;
    full.push_back(last);
    last = HEDDLE_PATH_EMPTY;
  }
}

uint64_t PathWords::position(uint64_t bits) { return bits / kBitsOfAWord * 64 + bits % kBitsOfAWord; }

bool append_words(RecordingFile& file, HeddlePath& record, uint32_t stream, uint64_t order,
                  const std::vector<uint64_t>& words) {
  HeddleRecording& head = file.head();
  for (size_t first = 0; first < words.size(); first += HEDDLE_CHUNK_WORDS) {
    if (head.chunks >= head.all_chunks) {
      errno = EFBIG;
      return false;
    }
    HeddleRecordedChunk chunk = {};
    chunk.magic = HEDDLE_CHUNK_MAGIC;
    chunk.thread = record.number;
    chunk.stream = stream;
    chunk.used = static_cast<uint32_t>(std::min<size_t>(HEDDLE_CHUNK_WORDS, words.size() - first));
    chunk.order = order++;
    chunk.first = record.stream[stream].words;
    const auto offset = static_cast<off_t>(head.chunks_offset + head.chunks * HEDDLE_RECORDED_CHUNK_BYTES);
    const auto bytes = static_cast<ssize_t>(chunk.used * 8);
    if (::pwrite(file.descriptor(), &chunk, sizeof chunk, offset) != ssize_t{sizeof chunk} ||
        ::pwrite(file.descriptor(), &words[first], static_cast<size_t>(bytes), offset + off_t{sizeof chunk}) != bytes)
      return false;
    record.stream[stream].words += chunk.used;
    ++head.chunks;
  }
  return true;
}

}  // namespace heddle::record
