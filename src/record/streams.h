// SPDX-License-Identifier: Apache-2.0
//
// From the chunks of a file to the path and the notes of each thread. Nothing in the file is
// trusted: a stream is taken as far as its chunks fit together.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "record/recording.h"

namespace heddle::record {

// The words of one stream, as they lie in the file.
struct StreamPiece {
  uint64_t order = 0, first = 0;
  uint64_t bits = 0;       // of a path, before this piece
  std::string_view bytes;  // a multiple of eight
};

struct Stream {
  std::vector<StreamPiece> pieces;  // fit together
  bool from_beginning = true;
  bool whole = true;  // nothing had to be left out at the end
  uint64_t end() const { return pieces.empty() ? 0 : pieces.back().first + pieces.back().bytes.size() / 8; }
};

using Streams = std::map<std::pair<uint32_t, uint32_t>, Stream>;  // by thread and HEDDLE_STREAM_...

// Of all chunks in `bytes`, which begin there.
Streams collect_streams(std::string_view bytes, uint64_t chunks, bool keeps_last);

// The bits of a path, and where each of its words begins.
class DecodedPath {
 public:
  // `record` has the word that was not full.
  DecodedPath(const Stream& stream, const HeddlePath& record);
  Path& path() { return path_; }
  bool is_whole() const { return whole_; }
  // Bits that were dropped before the first that is there.
  uint64_t skipped() const { return skipped_; }
  // The place is among what was dropped.
  bool lies_before(uint64_t position) const { return position / 64 < first_; }
  // From a position as the target writes it to a number of bits.
  uint64_t bit_at(uint64_t position) const;

 private:
  void add(uint64_t word);
  Path path_;
  uint64_t first_ = 0;  // number of the first word
  uint64_t skipped_ = 0;
  std::vector<uint64_t> begins_;  // bits before each word, and after the last
  bool whole_ = true;
};

// False: there is something in the stream that cannot be; the notes before it are taken.
bool decode_notes(const Stream& stream, bool with_values, std::vector<Note>& notes);

// A word with none to three checks of values behind a leading one.
bool are_values(uint64_t word);

}  // namespace heddle::record
