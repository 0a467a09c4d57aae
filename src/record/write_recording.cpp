// SPDX-License-Identifier: Apache-2.0
#include "record/write_recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "record/path_words.h"
#include "record/recording_file.h"

namespace heddle::record {
namespace {

bool write_thread(RecordingFile& file, const Thread& thread) {
  const PathWords words(thread.path);
  HeddlePath record = {};
  record.word = words.last;
  record.site = thread.site;
  record.state = thread.ended ? HEDDLE_RECORD_ENDED : HEDDLE_RECORD_RUNS;
  record.number = thread.number;
  record.parent = thread.parent;
  record.child_number = thread.child_number;
  record.process_thread = thread.process_thread;
  record.interrupted = HEDDLE_NO_RECORD;
  if (!append_words(file, record, HEDDLE_STREAM_PATH, 0, words.full)) return false;
  std::vector<uint64_t> notes;
  if (file.head().values) record.values = HEDDLE_VALUES_EMPTY;
  for (const uint32_t check : thread.values) {
    record.values = record.values << HEDDLE_VALUE_BITS | check;
    if (record.values < HEDDLE_VALUES_FULL) continue;
    notes.insert(notes.end(), {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_VALUES, 1, 0), record.values});
    record.values = HEDDLE_VALUES_EMPTY;
  }
  if (!append_words(file, record, HEDDLE_STREAM_NOTES, 0, notes)) return false;
  const auto place = static_cast<off_t>(file.head().threads_offset + uint64_t{thread.number} * sizeof record);
  return ::pwrite(file.descriptor(), &record, sizeof record, place) == ssize_t{sizeof record};
}

}  // namespace

base::Result<void> write_recording(const std::string& path, const Recording& recording) {
  auto file = RecordingFile::create(
      path, recording.facts, {.keep_last = 0, .marks_cores = false, .stamp_margin = 0, .values = recording.has_values});
  if (!file) return file.error();
  if (recording.threads.size() > HEDDLE_MOST_RECORDED)
    return base::Error{"the run has too many threads for a recording", ""};
  for (const Thread& thread : recording.threads)
    if (!write_thread(*file, thread))
      return base::Error{fmt::format("cannot write {}: {}", path, std::strerror(errno)), "is there room?"};
  HeddleRecording& head = file->head();
  head.ready = 1;
  head.threads = recording.threads.size();
  if (recording.failure) {
    const Failure& failure = *recording.failure;
    head.failure = {.seen = 1,
                    .thread = failure.thread,
                    .signal = failure.signal,
                    .code = failure.code,
                    .address = failure.address,
                    .instruction = failure.instruction,
                    .site = failure.site,
                    .unused = 0};
  }
  return file->finish(recording.ending, recording.status);
}

}  // namespace heddle::record
