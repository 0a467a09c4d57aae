// SPDX-License-Identifier: Apache-2.0
#include "record/pt/add_paths.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>

#include "record/path_words.h"

namespace heddle::record::pt {
namespace {

class Adder {
 public:
  explicit Adder(RecordingFile& file) : file_(file) {}

  bool add(const DecodedPaths& decoded) {
    std::vector<HeddlePath> records(file_.head().threads);
    for (size_t i = 0; i < records.size(); ++i)
      if (::pread(file_.descriptor(), &records[i], sizeof(HeddlePath), place(i)) != ssize_t{sizeof(HeddlePath)})
        return false;
    if (!count_notes(records.size())) return false;
    std::set<int32_t> interrupted;
    for (const HeddlePath& record : records)
      if (record.interrupted != HEDDLE_NO_RECORD) interrupted.insert(record.process_thread);
    for (size_t i = 0; i < records.size(); ++i) {
      if (records[i].state == HEDDLE_RECORD_UNUSED) continue;
      const auto thread = decoded.threads.find(records[i].process_thread);
      // Which of a thread's branches were made in a handler cannot be told.
      const bool is_known = thread != decoded.threads.end() && !interrupted.contains(records[i].process_thread);
      if (!add(records[i], is_known ? &thread->second : nullptr)) return false;
      if (::pwrite(file_.descriptor(), &records[i], sizeof(HeddlePath), place(i)) != ssize_t{sizeof(HeddlePath)})
        return false;
    }
    if (!decoded.threads.empty()) file_.head().cores = HEDDLE_CORES_MARKED;
    return true;
  }

 private:
  off_t place(size_t i) { return static_cast<off_t>(file_.head().threads_offset + i * sizeof(HeddlePath)); }

  // How many chunks of notes each thread has.
  bool count_notes(size_t threads) {
    notes_.resize(threads);
    const HeddleRecording& head = file_.head();
    for (uint64_t i = 0; i < std::min(head.chunks, head.all_chunks); ++i) {
      HeddleRecordedChunk chunk;
      if (::pread(file_.descriptor(), &chunk, sizeof chunk,
                  static_cast<off_t>(head.chunks_offset + i * HEDDLE_RECORDED_CHUNK_BYTES)) != ssize_t{sizeof chunk})
        return false;
      if (chunk.magic == HEDDLE_CHUNK_MAGIC && chunk.stream == HEDDLE_STREAM_NOTES && chunk.thread < threads)
        notes_[chunk.thread] = std::max(notes_[chunk.thread], chunk.order + 1);
    }
    return true;
  }

  bool add(HeddlePath& record, const ThreadPath* thread) {
    if (!thread) {
      record.flags |= HEDDLE_RECORD_CUT;
      return true;
    }
    PathWords words(thread->path);
    if (!thread->is_whole) {
      record.flags |= HEDDLE_RECORD_CUT;
      if (words.last != HEDDLE_PATH_EMPTY) words.full.push_back(std::exchange(words.last, HEDDLE_PATH_EMPTY));
    }
    record.word = words.last;
    if (!append_words(file_, record, HEDDLE_STREAM_PATH, 0, words.full)) return false;
    std::vector<uint64_t> notes;
    uint64_t order = notes_[record.number];
    for (const CoreChange& change : thread->changes) {
      const uint64_t note[] = {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, change.site), PathWords::position(change.position),
                               change.core, change.time};
      if (notes.size() + 4 > HEDDLE_CHUNK_WORDS &&
          !append_words(file_, record, HEDDLE_STREAM_NOTES, order++, std::exchange(notes, {})))
        return false;
      notes.insert(notes.end(), std::begin(note), std::end(note));
    }
    return append_words(file_, record, HEDDLE_STREAM_NOTES, order, notes);
  }

  RecordingFile& file_;
  std::vector<uint64_t> notes_;
};

}  // namespace

base::Result<void> add_paths(RecordingFile& file, const DecodedPaths& decoded) {
  if (Adder(file).add(decoded)) return {};
  return base::Error{fmt::format("cannot add the decoded paths to the recording: {}", std::strerror(errno)),
                     "is there room?"};
}

}  // namespace heddle::record::pt
