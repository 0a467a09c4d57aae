// SPDX-License-Identifier: Apache-2.0
#include "record/streams.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace heddle::record {
namespace {

uint64_t word_at(std::string_view bytes, size_t index) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + index * 8, 8);
  return word;
}

// Keeps pieces that follow on one another: the last such row when old chunks were used again, else the first.
void fit_together(Stream& stream, bool keeps_last) {
  std::vector<StreamPiece>& pieces = stream.pieces;
  std::sort(pieces.begin(), pieces.end(), [](const StreamPiece& a, const StreamPiece& b) { return a.order < b.order; });
  const auto follows = [](const StreamPiece& a, const StreamPiece& b) {
    return b.order == a.order + 1 && b.first == a.first + a.bytes.size() / 8;
  };
  size_t begin = 0, end = pieces.size();
  if (keeps_last) {
    begin = end - 1;
    while (begin > 0 && follows(pieces[begin - 1], pieces[begin])) --begin;
  } else {
    end = 1;
    while (end < pieces.size() && follows(pieces[end - 1], pieces[end])) ++end;
  }
  stream.whole = end == pieces.size();
  pieces = std::vector<StreamPiece>(pieces.begin() + static_cast<ptrdiff_t>(begin),
                                    pieces.begin() + static_cast<ptrdiff_t>(end));
  stream.from_beginning = pieces.front().order == 0 && pieces.front().first == 0;
}

bool decode(NoteKind kind, std::string_view words, Note& note) {
  const size_t count = words.size() / 8;
  switch (kind) {
    case NoteKind::kTarget:
    case NoteKind::kResult:
      if (count != 1) return false;
      note.value = word_at(words, 0);
      return true;
    case NoteKind::kBytes: {
      if (count < 2) return false;
      note.second = word_at(words, 0);
      const uint64_t bytes = word_at(words, 1);
      if (bytes > (count - 2) * 8 || bytes + 8 <= (count - 2) * 8) return false;
      note.bytes = words.substr(16, bytes);
      return true;
    }
    case NoteKind::kEntry:
      if (count != 2) return false;
      note.value = word_at(words, 0);
      note.second = word_at(words, 1);
      return true;
    case NoteKind::kCreated:
    case NoteKind::kHandled:
      if (count != 2) return false;
      note.position = word_at(words, 0);
      note.value = word_at(words, 1);
      return true;
    case NoteKind::kStamp:
      if (count != 1 || note.site > HEDDLE_STAMP_END) return false;
      note.value = std::exchange(note.site, 0);
      note.second = word_at(words, 0);
      return true;
    case NoteKind::kValues:
      if (count != 1 || !are_values(word_at(words, 0))) return false;
      note.value = word_at(words, 0);
      return true;
    case NoteKind::kCore:
      if (count != 3) return false;
      note.position = word_at(words, 0);
      note.value = word_at(words, 1);
      note.second = word_at(words, 2);
      return true;
  }
  return false;
}

}  // namespace

Streams collect_streams(std::string_view bytes, uint64_t chunks, bool keeps_last) {
  Streams streams;
  for (uint64_t i = 0; i < chunks && i * HEDDLE_RECORDED_CHUNK_BYTES + sizeof(HeddleRecordedChunk) <= bytes.size();
       ++i) {
    const std::string_view rest = bytes.substr(i * HEDDLE_RECORDED_CHUNK_BYTES, HEDDLE_RECORDED_CHUNK_BYTES);
    HeddleRecordedChunk chunk;
    std::memcpy(&chunk, rest.data(), sizeof chunk);
    if (chunk.magic != HEDDLE_CHUNK_MAGIC || chunk.stream > HEDDLE_STREAM_NOTES || chunk.used == 0) continue;
    const uint64_t room = (rest.size() - sizeof chunk) / 8;
    Stream& stream = streams[{chunk.thread, chunk.stream}];
    stream.pieces.push_back(
        {chunk.order, chunk.first, chunk.bits, rest.substr(sizeof chunk, std::min<uint64_t>(chunk.used, room) * 8)});
  }
  for (auto& [key, stream] : streams) fit_together(stream, keeps_last);
  return streams;
}

DecodedPath::DecodedPath(const Stream& stream, const HeddlePath& record) {
  constexpr uint64_t kMostWords = 1ull << 48, kMostBits = 63;  // of a file that says the truth; bits of a word
  if (!stream.pieces.empty()) {
    first_ = stream.pieces.front().first;
    skipped_ = std::min(stream.pieces.front().bits, kMostBits * std::min(first_, kMostWords));
  }
  begins_.push_back(0);
  for (const StreamPiece& piece : stream.pieces)
    for (size_t i = 0; i < piece.bytes.size() / 8 && whole_; ++i) add(word_at(piece.bytes, i));
  // The word that is being moved into a chunk is counted last.
  const bool moving = record.stream[HEDDLE_STREAM_PATH].words + 1 == stream.end();
  whole_ = whole_ && stream.whole && !(record.flags & HEDDLE_RECORD_CUT) &&
           (moving || record.stream[HEDDLE_STREAM_PATH].words == stream.end());
  if (whole_ && !moving) add(record.word);
}

void DecodedPath::add(uint64_t word) {
  if (word == 0) {
    whole_ = false;
    return;
  }
  for (int bit = 62 - std::countl_zero(word); bit >= 0; --bit) path_.append(word >> bit & 1);
  begins_.push_back(path_.size());
}

uint64_t DecodedPath::bit_at(uint64_t position) const {
  const uint64_t word = position / 64;
  if (word < first_) return 0;
  if (word - first_ >= begins_.size()) return path_.size();
  return std::min(begins_[word - first_] + position % 64, path_.size());
}

bool are_values(uint64_t word) {
  return word != 0 && word < 2 * HEDDLE_VALUES_FULL && (std::bit_width(word) - 1) % HEDDLE_VALUE_BITS == 0;
}

bool decode_notes(const Stream& stream, bool with_values, std::vector<Note>& notes) {
  for (const StreamPiece& piece : stream.pieces) {
    const size_t end = piece.bytes.size() / 8;
    for (size_t at = 0; at < end;) {
      const uint64_t head = word_at(piece.bytes, at);
      const uint64_t count = head >> 8 & 0xffffff;
      Note note;
      note.kind = static_cast<NoteKind>(head & 0xff);
      note.site = static_cast<uint32_t>(head >> 32);
      if (note.kind == NoteKind::kValues && !with_values) return false;
      if (count > end - at - 1 || !decode(note.kind, piece.bytes.substr((at + 1) * 8, count * 8), note)) return false;
      notes.push_back(std::move(note));
      at += 1 + count;
    }
  }
  return true;
}

}  // namespace heddle::record
