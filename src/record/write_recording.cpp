// SPDX-License-Identifier: Apache-2.0
#include "record/write_recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "record/recording_file.h"

namespace heddle::record {
namespace {

constexpr uint64_t kBitsOfAWord = 56;  // a word of the path is full when it has so many behind its leading one

// Words that are full, and the one that is not.
struct Words {
  std::vector<uint64_t> full;
  uint64_t last = HEDDLE_PATH_EMPTY;
};

Words words_of(const Path& path) {
  Words words;
  for (uint64_t i = 0; i < path.size(); ++i) {
    words.last = words.last << 1 | uint64_t{path[i]};
    if (words.last >> kBitsOfAWord == 0) continue;
    words.full.push_back(words.last);
    words.last = HEDDLE_PATH_EMPTY;
  }
  return words;
}

}  // namespace

base::Result<void> write_recording(const std::string& path, const Recording& recording) {
  auto file = RecordingFile::create(path, recording.facts, {.keep_last = 0, .marks_cores = false});
  if (!file) return file.error();
  HeddleRecording& head = file->head();
  const auto failed = [&] { return base::Error{fmt::format("cannot write {}: {}", path, std::strerror(errno)), "is there room?"}; };
  const auto write = [&](const void* bytes, size_t size, uint64_t offset) {
    return ::pwrite(file->descriptor(), bytes, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  };
  uint64_t chunks = 0;
  for (size_t i = 0; i < recording.threads.size(); ++i) {
    const Thread& thread = recording.threads[i];
    const Words words = words_of(thread.path);
    HeddlePath record = {};
    record.word = words.last;
    record.site = thread.site;
    record.state = thread.ended ? HEDDLE_RECORD_ENDED : HEDDLE_RECORD_RUNS;
    record.number = static_cast<uint32_t>(i);
    record.parent = thread.parent;
    record.child_number = thread.child_number;
    record.process_thread = thread.process_thread;
    uint64_t order = 0;
    for (size_t first = 0; first < words.full.size(); first += HEDDLE_CHUNK_WORDS, ++order, ++chunks) {
      HeddleRecordedChunk chunk = {};
      chunk.magic = HEDDLE_CHUNK_MAGIC;
      chunk.thread = record.number;
      chunk.stream = HEDDLE_STREAM_PATH;
      chunk.used = static_cast<uint32_t>(std::min<size_t>(HEDDLE_CHUNK_WORDS, words.full.size() - first));
      chunk.order = order;
      chunk.first = first;
      const uint64_t offset = head.chunks_offset + chunks * HEDDLE_RECORDED_CHUNK_BYTES;
      if (!write(&chunk, sizeof chunk, offset) || !write(&words.full[first], chunk.used * 8, offset + sizeof chunk)) return failed();
    }
    record.stream[HEDDLE_STREAM_PATH].words = words.full.size();
    if (!write(&record, sizeof record, head.threads_offset + i * sizeof record)) return failed();
  }
  head.ready = 1;
  head.threads = recording.threads.size();
  head.chunks = chunks;
  if (recording.failure) {
    head.failure.seen = 1;
    head.failure.thread = recording.failure->thread;
    head.failure.signal = recording.failure->signal;
    head.failure.code = recording.failure->code;
    head.failure.address = recording.failure->address;
    head.failure.instruction = recording.failure->instruction;
    head.failure.site = recording.failure->site;
  }
  return file->finish(recording.ending, recording.status);
}

}  // namespace heddle::record
