// SPDX-License-Identifier: Apache-2.0
//
// The lower half of Reader: takes a binary trace apart, chunk by chunk, after
// its preamble. Every chunk is checked before it counts: header, place in the
// file, checksum, length, content. Events of a controlled trace lie in the file
// by thread; between two checkpoints they are put back into their total order.
//
// A problem found on the way is a text; it becomes an Error or, when salvaging,
// the note of where the trace was cut.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/event_decoder.h"
#include "trace/format.h"
#include "trace/reader.h"
#include "trace/slot_decoder.h"
#include "trace/source.h"
#include "trace/tables.h"
#include "trace/trace.h"

namespace heddle::trace {

class GroupReader {
 public:
  // The preamble was read from the source already.
  GroupReader(std::unique_ptr<Source> source, const ReadOptions& options)
      : source_(std::move(source)), options_(options) {}

  // Reads the first chunk, which must be the header.
  base::Result<void> begin();
  // As Reader::next.
  base::Result<bool> next(std::vector<Event>* events);
  const Trace& tables() const { return tables_; }

 private:
  base::Result<void> stop(const std::string& problem);
  void break_off(const char* where);
  base::Result<void> read_chunk();
  std::string take_chunk(std::vector<Event>* events);
  std::string take_table();
  std::string take_events(std::vector<Event>* events);
  std::string decode_events(std::vector<Event>* into);
  template <typename Decoder>
  std::string decode_all(Decoder& decoder, std::vector<Event>* into);
  std::string take_checkpoint(std::vector<Event>* events);
  std::string order_group(const Progress& progress);
  std::string take_end();
  void take_open_group(std::vector<Event>* events);

  std::unique_ptr<Source> source_;
  ReadOptions options_;
  Trace tables_;
  ThreadRule threads_;
  Packer packer_;
  EventDecoder decoder_;
  SlotDecoder slot_decoder_;
  ChunkHeader chunk_;                                   // the last one read
  std::string stored_;                                  // its content in the file
  std::string plain_;                                   // and unpacked
  std::vector<Event> group_;                            // of a controlled trace, since the last checkpoint
  std::vector<std::optional<uint64_t>> last_sequence_;  // by thread
  uint64_t next_sequence_ = 0;
  uint64_t count_ = 0;
  uint64_t table_bytes_ = 0;
  uint64_t chunk_offset_ = 0;
  uint32_t chunk_number_ = 0;
  bool started_ = false;
  bool finished_ = false;
};

}  // namespace heddle::trace
