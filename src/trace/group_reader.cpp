// SPDX-License-Identifier: Apache-2.0
#include "trace/group_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

bool is_before(const Event& a, const Event& b) { return a.sequence < b.sequence; }

// Sorts by sequence. Numbers mostly have no gaps: then each says its own place.
void put_in_order(std::vector<Event>* events) {
  if (events->empty()) return;
  const auto [lowest, highest] = std::minmax_element(events->begin(), events->end(), is_before);
  const uint64_t base = lowest->sequence;
  if (highest->sequence - base == events->size() - 1) {
    std::vector<Event> ordered(events->size());
    std::vector<bool> taken(events->size());
    bool unique = true;
    for (const Event& event : *events) {
      const size_t place = event.sequence - base;
      unique = unique && !taken[place];
      taken[place] = true;
      ordered[place] = event;
    }
    if (unique) return events->swap(ordered);
  }
  std::sort(events->begin(), events->end(), is_before);
}

}  // namespace

Result<void> GroupReader::begin() {
  if (auto read = read_chunk(); !read) return read.error();
  if (finished_) return {};
  if (chunk_.kind != ChunkKind::kHeader) return stop("the first chunk is not the header");
  Header header;
  if (std::string problem = decode_header(plain_, &header); !problem.empty()) return stop(problem);
  tables_.header = std::move(header);
  return {};
}

Result<bool> GroupReader::next(std::vector<Event>* events) {
  events->clear();
  while (!finished_) {
    if (auto read = read_chunk(); !read) return read.error();
    if (finished_) break;
    if (std::string problem = take_chunk(events); !problem.empty()) {
      events->clear();
      if (auto stopped = stop(problem); !stopped) return stopped.error();
      break;
    }
    if (!events->empty()) return true;
  }
  take_open_group(events);
  return !events->empty();
}

// Ends the reading because of damage in the current chunk.
Result<void> GroupReader::stop(const std::string& problem) {
  finished_ = true;
  tables_.complete = false;
  const std::string text = fmt::format("chunk {} at byte {}: {}", chunk_number_, chunk_offset_, problem);
  if (!options_.salvage) {
    return Error{fmt::format("{} is damaged: {}", source_->name(), text),
                 chunk_number_ > 0 ? "what comes before the damage can be salvaged" : ""};
  }
  tables_.damage = text;
  return {};
}

// Ends the reading because the file does.
void GroupReader::break_off(const char* where) {
  finished_ = true;
  tables_.damage =
      fmt::format("the file breaks off {}, at byte {}, after {} whole chunks", where, source_->offset(), chunk_number_);
}

// Reads the next chunk into chunk_ and plain_, or ends the reading.
Result<void> GroupReader::read_chunk() {
  if (started_) ++chunk_number_;
  started_ = true;
  chunk_offset_ = source_->offset();
  if (auto read = source_->read(kChunkHeaderBytes, &stored_); !read) return read;
  if (tables_.complete) {
    finished_ = true;
    return stored_.empty() ? Result<void>() : stop("bytes follow the end of the trace");
  }
  if (stored_.size() < kChunkHeaderBytes) {
    break_off(stored_.empty() ? "without an end" : "inside the header of a chunk");
    return {};
  }
  if (std::string problem = decode_chunk_header(stored_, &chunk_); !problem.empty()) return stop(problem);
  if (chunk_.number != chunk_number_) return stop(fmt::format("chunk {} stands in its place", chunk_.number));
  if (auto read = source_->read(chunk_.stored_bytes, &stored_); !read) return read;
  if (stored_.size() < chunk_.stored_bytes) {
    break_off("inside a chunk");
    return {};
  }
  if (base::hash_bytes(stored_) != chunk_.payload_check) return stop("checksum mismatch in its content");
  if (!packer_.unpack(stored_, chunk_.plain_bytes, &plain_)) {
    return stop(fmt::format("its content does not unpack to {} bytes", chunk_.plain_bytes));
  }
  return {};
}

// Takes in a chunk; `events` gets those that are due now. Returns the problem.
std::string GroupReader::take_chunk(std::vector<Event>* events) {
  if (holds_events(chunk_.kind)) return take_events(events);
  if (chunk_.kind == ChunkKind::kCheckpoint) return take_checkpoint(events);
  if (chunk_.kind == ChunkKind::kEnd) return take_end();
  if (chunk_.kind == ChunkKind::kHeader) return "a second header";
  return take_table();
}

// Entries count when their whole chunk is good.
std::string GroupReader::take_table() {
  table_bytes_ += plain_.size();
  if (table_bytes_ > kMaxTableBytes) return fmt::format("tables of more than {} bytes", kMaxTableBytes);
  const size_t threads = tables_.threads.size();
  const size_t sites = tables_.sites.size();
  const size_t globals = tables_.globals.size();
  std::string problem = chunk_.kind == ChunkKind::kThreads ? decode_threads(plain_, &threads_, &tables_.threads)
                        : chunk_.kind == ChunkKind::kSites ? decode_sites(plain_, &tables_.sites)
                                                           : decode_globals(plain_, &tables_.globals);
  if (!problem.empty()) {
    tables_.threads.resize(threads);
    tables_.sites.resize(sites);
    tables_.globals.resize(globals);
  }
  return problem;
}

std::string GroupReader::take_events(std::vector<Event>* events) {
  const bool free_running = tables_.header.mode == Mode::kFree;
  std::vector<Event>* into = free_running ? events : &group_;
  const size_t before = into->size();
  if (std::string problem = decode_events(into); !problem.empty()) {
    const size_t number = into->size() - before;
    into->resize(before);
    return fmt::format("event {} of the chunk: {}", number, problem);
  }
  count_ += into->size() - before;
  if (group_.size() > kMaxGroupEvents) return fmt::format("more than {} events in one group", kMaxGroupEvents);
  return {};
}

std::string GroupReader::decode_events(std::vector<Event>* into) {
  const bool free_running = tables_.header.mode == Mode::kFree;
  const auto* bytes = reinterpret_cast<const unsigned char*>(plain_.data());
  if (chunk_.kind == ChunkKind::kSlotEvents) {
    if (!free_running) return "slots in a controlled trace";
    slot_decoder_.begin(bytes, plain_.size(), chunk_.thread);
    return decode_all(slot_decoder_, into);
  }
  decoder_.begin(bytes, plain_.size(), chunk_.thread, free_running);
  return decode_all(decoder_, into);
}

template <typename Decoder>
std::string GroupReader::decode_all(Decoder& decoder, std::vector<Event>* into) {
  const bool free_running = tables_.header.mode == Mode::kFree;
  last_sequence_.resize(std::max(last_sequence_.size(), tables_.threads.size()));
  Event event{};
  while (decoder.next(&event.record, &event.sequence)) {
    std::string problem = record_problem(event.record, tables_.threads.size(), tables_.sites.size());
    if (!problem.empty()) return problem;
    if (!free_running) {
      std::optional<uint64_t>& last = last_sequence_[chunk_.thread];
      if (event.sequence == UINT64_MAX || (last && event.sequence <= *last)) return "its number does not rise";
      last = event.sequence;
    }
    into->push_back(event);
  }
  return decoder.problem() ? decoder.problem() : "";
}

// All threads are in the file up to here: the group can be put in order. A group
// that is not what its checkpoint says is not to be trusted at all.
std::string GroupReader::take_checkpoint(std::vector<Event>* events) {
  Progress progress;
  if (std::string problem = decode_checkpoint(plain_, &progress); !problem.empty()) return problem;
  std::string problem = order_group(progress);
  if (problem.empty()) events->swap(group_);
  group_.clear();
  return problem;
}

std::string GroupReader::order_group(const Progress& progress) {
  if (tables_.header.mode == Mode::kFree) return "a checkpoint in a free trace";
  if (progress.events != count_) {
    return fmt::format("{} events should be in the file up to here, there are {}", progress.events, count_);
  }
  put_in_order(&group_);
  uint64_t next = next_sequence_;
  for (const Event& event : group_) {
    if (event.sequence < next) return fmt::format("two events have the number {}", event.sequence);
    next = event.sequence + 1;
  }
  if (next != progress.next_sequence) return "the last number of the group is not the one that was written";
  next_sequence_ = next;
  return {};
}

std::string GroupReader::take_end() {
  uint64_t written = 0;
  Ending ending;
  if (std::string problem = decode_end(plain_, &ending, &written); !problem.empty()) return problem;
  if (!group_.empty()) return "the last group of events has no checkpoint";
  if (written != count_) return fmt::format("{} events should be in the file, there are {}", written, count_);
  tables_.ending = std::move(ending);
  tables_.complete = true;
  return {};
}

// What is left of a group without a checkpoint: as far as no event is missing.
void GroupReader::take_open_group(std::vector<Event>* events) {
  put_in_order(&group_);
  for (const Event& event : group_) {
    if (event.sequence != next_sequence_) break;
    events->push_back(event);
    ++next_sequence_;
  }
  if (events->size() < group_.size()) {
    tables_.damage +=
        fmt::format("; {} events after the first gap in the order are left out", group_.size() - events->size());
  }
  group_.clear();
}

}  // namespace heddle::trace
