// SPDX-License-Identifier: Apache-2.0
#include "causal/write_sources.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::causal {

std::vector<Piece> pieces_read(const HeddleRecord& operation) {
  if (!reads_memory(operation)) return {};
  if (operation.size <= 8) return {{operation.address, operation.size, operation.value}};
  return {{operation.address, 8, operation.value}, {operation.address + 8, operation.size - 8u, operation.value2}};
}

std::vector<Piece> pieces_written(const HeddleRecord& operation) {
  if (!writes_memory(operation)) return {};
  const bool exchanges = operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS;
  const uint64_t value = exchanges ? operation.value2 : operation.value;
  if (operation.size <= 8) return {{operation.address, operation.size, value}};
  return {{operation.address, 8, value}, {operation.address + 8, operation.size - 8u, operation.value2}};
}

WriteSources::WriteSources(const Execution& execution, const MustOrder& must_order)
    : execution_(execution), must_order_(must_order) {
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      for (const Piece& piece : pieces_written(operation)) {
        const uint32_t place = static_cast<uint32_t>(writes_.size());
        writes_.push_back({{t, operation.index}, piece});
        by_word_[piece.address / 8].push_back(place);
        const uint64_t last = (piece.address + piece.size - 1) / 8;
        if (last != piece.address / 8) by_word_[last].push_back(place);
      }
    }
  }
}

std::vector<Segment> WriteSources::segments(EventId read) const {
  std::vector<Segment> segments;
  for (const Piece& piece : pieces_read(execution_.operation(read))) add_segments(read, piece, segments);
  return segments;
}

// Of the writes to a word, those that the read could see. Writes of one thread
// that come before the read in every order are looked at from the last one
// back, until they have overwritten all bytes in question: of many there are few
// that matter.
void WriteSources::add_visible(EventId read, uint64_t word, uint64_t first, uint64_t end, std::vector<uint32_t>& visible) const {
  const auto found = by_word_.find(word);
  if (found == by_word_.end()) return;
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
  const std::vector<uint32_t>& places = found->second;  // by thread, then by index
  for (auto begin = places.begin(); begin != places.end();) {
    const ThreadId thread = writes_[*begin].event.thread;
    const auto thread_end =
        std::partition_point(begin, places.end(), [&](uint32_t place) { return writes_[place].event.thread == thread; });
    const auto open = std::partition_point(begin, thread_end, [&](uint32_t place) { return must_order_.before(writes_[place].event, read); });
    const auto closed = std::partition_point(open, thread_end, [&](uint32_t place) { return !must_order_.before(read, writes_[place].event); });
    uint32_t left = wanted;
    for (auto place = open; place != begin && left;) {
      const uint32_t bytes = bytes_of(*--place);
      if (bytes & left) visible.push_back(*place);
      left &= ~bytes;
    }
    for (auto place = open; place != closed; ++place)
      if (bytes_of(*place) && !(writes_[*place].event == read)) visible.push_back(*place);
    begin = thread_end;
  }
}

void WriteSources::add_segments(EventId read, const Piece& piece, std::vector<Segment>& segments) const {
  const uint64_t end = piece.address + piece.size;
  std::vector<uint32_t> overlapping;
  for (uint64_t word = piece.address / 8; word <= (end - 1) / 8; ++word)
    add_visible(read, word, piece.address, end, overlapping);
  std::sort(overlapping.begin(), overlapping.end());
  overlapping.erase(std::unique(overlapping.begin(), overlapping.end()), overlapping.end());
  std::vector<uint64_t> bounds = {piece.address, end};
  for (const uint32_t place : overlapping) {
    const Piece& written = writes_[place].piece;
    if (written.address > piece.address) bounds.push_back(written.address);
    if (written.address + written.size < end) bounds.push_back(written.address + written.size);
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  for (size_t b = 0; b + 1 < bounds.size(); ++b) {
    Segment segment{bounds[b], static_cast<uint32_t>(bounds[b + 1] - bounds[b]), {}, true, std::nullopt};
    std::vector<const Write*> covering;
    for (const uint32_t place : overlapping) {
      const Write& write = writes_[place];
      if (write.piece.address <= segment.address && write.piece.address + write.piece.size >= bounds[b + 1])
        covering.push_back(&write);
    }
    std::vector<const Write*> before;
    for (const Write* write : covering)
      if (must_order_.before(write->event, read)) before.push_back(write);
    if (!before.empty()) segment.initial_possible = false;
    for (const Write* write : covering) {
      bool overwritten = false;
      for (const Write* later : before) overwritten |= must_order_.before(write->event, later->event);
      if (!overwritten) segment.sources.push_back({write->event, slice(write->piece, segment.address, segment.size)});
    }
    if (segment.initial_possible) segment.initial = execution_.initial.at(segment.address, segment.size);
    segments.push_back(std::move(segment));
  }
}

}  // namespace heddle::causal
