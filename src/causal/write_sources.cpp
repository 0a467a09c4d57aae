// SPDX-License-Identifier: Apache-2.0
#include "causal/write_sources.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::causal {

Pieces pieces_read(const HeddleRecord& operation) {
  if (!reads_memory(operation)) return {};
  if (operation.size <= 8) return Pieces({operation.address, operation.size, operation.value});
  return {{operation.address, 8, operation.value}, {operation.address + 8, operation.size - 8u, operation.value2}};
}

Pieces pieces_written(const HeddleRecord& operation) {
  if (!writes_memory(operation)) return {};
  const bool exchanges = operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS;
  const uint64_t value = exchanges ? operation.value2 : operation.value;
  if (operation.size <= 8) return Pieces({operation.address, operation.size, value});
  return {{operation.address, 8, value}, {operation.address + 8, operation.size - 8u, operation.value2}};
}

WriteSources::WriteSources(const Execution& execution, const MustOrder& must_order)
    : execution_(execution), must_order_(must_order) {
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      for (const Piece& piece : pieces_written(operation)) {
        const uint32_t place = static_cast<uint32_t>(writes_.size());
        writes_.push_back({{t, operation.index}, piece});
        by_word_.push_back({piece.address / 8, place});
        const uint64_t last = (piece.address + piece.size - 1) / 8;
        if (last != piece.address / 8) by_word_.push_back({last, place});
      }
    }
  }
  std::sort(by_word_.begin(), by_word_.end(), [](const WriteToWord& one, const WriteToWord& other) {
    return one.word != other.word ? one.word < other.word : one.place < other.place;
  });
}

std::span<const Segment> WriteSources::segments(EventId read, ListStore& store) {
  segments_.clear();
  for (const Piece& piece : pieces_read(execution_.operation(read))) add_segments(read, piece, store);
  return store.keep(segments_);
}

// Of the writes to a word, those that the read could see. Writes of one thread
// that come before the read in every order are looked at from the last one
// back, until they have overwritten all bytes in question: of many there are few
// that matter.
void WriteSources::add_visible(EventId read, uint64_t word, uint64_t first, uint64_t end) {
  first = std::max(first, word * 8);
  end = std::min(end, word * 8 + 8);
  const auto bytes_of = [&](uint32_t place) {
    const Piece& piece = writes_[place].piece;
    uint32_t bytes = 0;
    for (uint64_t byte = std::max(first, piece.address); byte < std::min(end, piece.address + piece.size); ++byte)
      bytes |= 1u << (byte - word * 8);
    return bytes;
  };
  uint32_t wanted = 0;
  for (uint64_t byte = first; byte < end; ++byte) wanted |= 1u << (byte - word * 8);
  const auto event_of = [&](const WriteToWord& write) { return writes_[write.place].event; };
  auto begin =
      std::lower_bound(by_word_.begin(), by_word_.end(), word,
                       [](const WriteToWord& write, uint64_t wanted_word) { return write.word < wanted_word; });
  while (begin != by_word_.end() && begin->word == word) {
    const ThreadId thread = event_of(*begin).thread;
    const auto thread_end = std::partition_point(begin, by_word_.end(), [&](const WriteToWord& write) {
      return write.word == word && event_of(write).thread == thread;
    });
    const auto open = std::partition_point(
        begin, thread_end, [&](const WriteToWord& write) { return must_order_.before(event_of(write), read); });
    const auto closed = std::partition_point(
        open, thread_end, [&](const WriteToWord& write) { return !must_order_.before(read, event_of(write)); });
    uint32_t left = wanted;
    for (auto write = open; write != begin && left;) {
      const uint32_t bytes = bytes_of((--write)->place);
      if (bytes & left) visible_.push_back(write->place);
      left &= ~bytes;
    }
    for (auto write = open; write != closed; ++write)
      if (bytes_of(write->place) && !(event_of(*write) == read)) visible_.push_back(write->place);
    begin = thread_end;
  }
}

void WriteSources::add_segments(EventId read, const Piece& piece, ListStore& store) {
  const uint64_t end = piece.address + piece.size;
  visible_.clear();
  for (uint64_t word = piece.address / 8; word <= (end - 1) / 8; ++word) add_visible(read, word, piece.address, end);
  std::sort(visible_.begin(), visible_.end());
  visible_.erase(std::unique(visible_.begin(), visible_.end()), visible_.end());
  bounds_ = {piece.address, end};
  for (const uint32_t place : visible_) {
    const Piece& written = writes_[place].piece;
    if (written.address > piece.address) bounds_.push_back(written.address);
    if (written.address + written.size < end) bounds_.push_back(written.address + written.size);
  }
  std::sort(bounds_.begin(), bounds_.end());
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
  for (size_t b = 0; b + 1 < bounds_.size(); ++b) {
    Segment segment{bounds_[b], static_cast<uint32_t>(bounds_[b + 1] - bounds_[b]), {}, true, std::nullopt};
    covering_.clear();
    for (const uint32_t place : visible_) {
      const Write& write = writes_[place];
      if (write.piece.address <= segment.address && write.piece.address + write.piece.size >= bounds_[b + 1])
        covering_.push_back(&write);
    }
    before_.clear();
    for (const Write* write : covering_)
      if (must_order_.before(write->event, read)) before_.push_back(write);
    if (!before_.empty()) segment.initial_possible = false;
    sources_.clear();
    for (const Write* write : covering_) {
      bool overwritten = false;
      for (const Write* later : before_) overwritten |= must_order_.before(write->event, later->event);
      if (!overwritten) sources_.push_back({write->event, slice(write->piece, segment.address, segment.size)});
    }
    if (segment.initial_possible) segment.initial = execution_.initial.at(segment.address, segment.size);
    segment.sources = store.keep(sources_);
    segments_.push_back(segment);
  }
}

}  // namespace heddle::causal
