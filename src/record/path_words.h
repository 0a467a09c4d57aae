// SPDX-License-Identifier: Apache-2.0
//
// A path as words of a recording, for paths that the recorded program does not write itself.
#pragma once

#include <vector>

#include "record/recording.h"
#include "record/recording_file.h"

namespace heddle::record {

// Words that are full, and the one that is not.
struct PathWords {
  explicit PathWords(const Path& path);
  std::vector<uint64_t> full;
  uint64_t last = HEDDLE_PATH_EMPTY;
  // As notes say it.
  static uint64_t position(uint64_t bits);
};

// Appends chunks with these words to a file: they are the next of a stream that had `stream.words` so far,
// in `order` chunks. False: errno says why.
bool append_words(RecordingFile& file, HeddlePath& record, uint32_t stream, uint64_t order,
                  const std::vector<uint64_t>& words);

}  // namespace heddle::record
