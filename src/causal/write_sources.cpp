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

void WriteSources::add_segments(EventId read, const Piece& piece, std::vector<Segment>& segments) const {
  const uint64_t end = piece.address + piece.size;
  std::vector<uint32_t> overlapping;
  for (uint64_t word = piece.address / 8; word <= (end - 1) / 8; ++word) {
    const auto found = by_word_.find(word);
    if (found != by_word_.end()) overlapping.insert(overlapping.end(), found->second.begin(), found->second.end());
  }
  std::sort(overlapping.begin(), overlapping.end());
  overlapping.erase(std::unique(overlapping.begin(), overlapping.end()), overlapping.end());
  std::vector<uint64_t> bounds = {piece.address, end};
  std::erase_if(overlapping, [&](uint32_t place) {
    const Write& write = writes_[place];
    if (write.piece.address >= end || write.piece.address + write.piece.size <= piece.address) return true;
    return write.event == read || must_order_.before(read, write.event);
  });
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
