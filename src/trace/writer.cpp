// SPDX-License-Identifier: Apache-2.0
#include "trace/writer.h"

#include <fmt/format.h>

#include <vector>

#include "trace/chunk_file.h"
#include "trace/event_encoder.h"
#include "trace/tables.h"

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

constexpr size_t kHeldEvents = 128 << 10;
static_assert(kHeldEvents <= kMaxGroupEvents);

}  // namespace

class Writer::State {
 public:
  State(const std::string& path, const Header& header) : file_(path), free_running_(header.mode == Mode::kFree) {}

  ChunkFile& file() { return file_; }

  Result<void> begin(const Header& header) {
    if (auto opened = file_.open(); !opened) return opened;
    for (const std::string* text : {&header.program, &header.module_hash, &header.memory_model, &header.strategy}) {
      if (text->size() > kMaxString) return too_long("header");
    }
    std::string payload;
    encode_header(header, &payload);
    return file_.append(ChunkKind::kHeader, HEDDLE_NO_THREAD, payload);
  }

  Result<void> add_threads(std::span<const Thread> threads) {
    std::string payload;
    for (const Thread& thread : threads) {
      if (std::string problem = threads_.add(thread); !problem.empty()) return refuse(problem);
      encode_thread(thread, &payload);
      if (auto written = write_table(ChunkKind::kThreads, &payload, kChunkTarget); !written) return written;
    }
    held_.resize(threads_.count());
    return write_table(ChunkKind::kThreads, &payload, 1);
  }

  Result<void> add_sites(std::span<const Site> sites) {
    std::string payload;
    if (sites.size() > kMaxSites - sites_) return refuse("more sites than a trace can hold");
    for (const Site& site : sites) {
      for (const std::string* text : {&site.file, &site.function, &site.variable}) {
        if (text->size() > kMaxString) return too_long("site");
      }
      encode_site(site, &payload);
      if (auto written = write_table(ChunkKind::kSites, &payload, kChunkTarget); !written) return written;
    }
    sites_ += sites.size();
    return write_table(ChunkKind::kSites, &payload, 1);
  }

  Result<void> add_globals(std::span<const Global> globals) {
    std::string payload;
    if (globals.size() > kMaxGlobals - globals_) return refuse("more globals than a trace can hold");
    for (const Global& global : globals) {
      if (global.name.size() > kMaxString) return too_long("global");
      encode_global(global, &payload);
      if (auto written = write_table(ChunkKind::kGlobals, &payload, kChunkTarget); !written) return written;
    }
    globals_ += globals.size();
    return write_table(ChunkKind::kGlobals, &payload, 1);
  }

  Result<void> append(const Event& event) {
    if (auto state = file_.state(); !state) return state;
    if (std::string problem = record_problem(event.record, threads_.count(), sites_); !problem.empty()) {
      return refuse(fmt::format("event {}: {}", written_ + held_count_, problem));
    }
    if (!free_running_) {
      if (event.sequence < next_sequence_ || event.sequence == UINT64_MAX) {
        return refuse(fmt::format("event {}: its number {} does not follow {}", written_ + held_count_, event.sequence,
                                  next_sequence_ - 1));
      }
      next_sequence_ = event.sequence + 1;
    }
    held_[event.record.thread].push_back(event);
    return ++held_count_ < kHeldEvents ? Result<void>() : flush();
  }

  Result<void> append_encoded(uint32_t thread, std::string_view payload, uint64_t events) {
    if (!free_running_ || held_count_ != 0) return refuse("encoded events belong into a free trace of nothing else");
    if (thread >= threads_.count()) return refuse("encoded events of a thread that is not in the table");
    if (events == 0) return {};
    written_ += events;
    plain_event_bytes_ += payload.size();
    return file_.append_plain(ChunkKind::kSlotEvents, thread, payload);
  }

  Result<void> flush() {
    if (held_count_ == 0) return file_.state();
    for (uint32_t thread = 0; thread < held_.size(); ++thread) {
      if (auto written = write_events(thread, held_[thread]); !written) return written;
      held_[thread].clear();
    }
    written_ += held_count_;
    held_count_ = 0;
    if (free_running_) return {};
    std::string payload;
    encode_checkpoint({written_, next_sequence_}, &payload);
    return file_.append(ChunkKind::kCheckpoint, HEDDLE_NO_THREAD, payload);
  }

  Result<void> finish(const std::optional<Ending>& ending) {
    if (auto flushed = flush(); !flushed) return flushed;
    if (ending) {
      if (ending->message.size() > kMaxString) return too_long("ending");
      std::string payload;
      encode_end(*ending, written_, &payload);
      if (auto written = file_.append(ChunkKind::kEnd, HEDDLE_NO_THREAD, payload); !written) return written;
    }
    return file_.finish();
  }

  uint64_t events_written() const { return written_; }
  uint64_t plain_event_bytes() const { return plain_event_bytes_; }

 private:
  // The input, not the disk, is at fault; the file stays as it is.
  Error refuse(const std::string& problem) {
    return file_.stop({fmt::format("cannot write {}: {}", file_.partial_path(), problem), ""});
  }

  Error too_long(const char* where) {
    return refuse(fmt::format("a text of the {} is longer than {} bytes", where, kMaxString));
  }

  Result<void> write_table(ChunkKind kind, std::string* payload, size_t at_least) {
    if (payload->size() < at_least) return file_.state();
    table_bytes_ += payload->size();
    if (table_bytes_ > kMaxTableBytes) return refuse(fmt::format("tables of more than {} bytes", kMaxTableBytes));
    auto written = file_.append(kind, HEDDLE_NO_THREAD, *payload);
    payload->clear();
    return written;
  }

  Result<void> write_events(uint32_t thread, std::span<const Event> events) {
    while (!events.empty()) {
      encoder_.begin(buffer_, sizeof buffer_, free_running_);
      size_t count = 0;
      while (count < events.size() && encoder_.append(events[count].record, events[count].sequence)) ++count;
      const std::string_view payload(reinterpret_cast<const char*>(buffer_), encoder_.size());
      if (auto written = file_.append(ChunkKind::kEvents, thread, payload); !written) return written;
      plain_event_bytes_ += payload.size();
      events = events.subspan(count);
    }
    return {};
  }

  ChunkFile file_;
  bool free_running_;
  ThreadRule threads_;
  uint64_t sites_ = 0;
  uint64_t globals_ = 0;
  uint64_t table_bytes_ = 0;
  std::vector<std::vector<Event>> held_;  // by thread
  size_t held_count_ = 0;
  uint64_t written_ = 0;
  uint64_t plain_event_bytes_ = 0;
  uint64_t next_sequence_ = 0;
  EventEncoder encoder_;
  unsigned char buffer_[kChunkTarget];
};

Writer::Writer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

Writer::~Writer() {
  if (state_) (void)static_cast<bool>(state_->flush());
}

Result<Writer> Writer::open(const std::string& path, const Header& header) {
  auto state = std::make_unique<State>(path, header);
  if (auto begun = state->begin(header); !begun) return begun.error();
  return Writer(std::move(state));
}

Result<void> Writer::add_threads(std::span<const Thread> threads) { return state_->add_threads(threads); }
Result<void> Writer::add_sites(std::span<const Site> sites) { return state_->add_sites(sites); }
Result<void> Writer::add_globals(std::span<const Global> globals) { return state_->add_globals(globals); }
Result<void> Writer::append(const Event& event) { return state_->append(event); }

Result<void> Writer::append(std::span<const Event> events) {
  for (const Event& event : events) {
    if (auto appended = state_->append(event); !appended) return appended;
  }
  return {};
}

Result<void> Writer::append_encoded(uint32_t thread, std::string_view payload, uint64_t events) {
  return state_->append_encoded(thread, payload, events);
}

Result<void> Writer::flush() { return state_->flush(); }
Result<void> Writer::finish(const std::optional<Ending>& ending) { return state_->finish(ending); }
uint64_t Writer::events_written() const { return state_->events_written(); }
uint64_t Writer::bytes_written() const { return state_->file().bytes(); }
uint64_t Writer::plain_event_bytes() const { return state_->plain_event_bytes(); }

Result<void> write_trace(const std::string& path, const Trace& trace) {
  auto writer = Writer::open(path, trace.header);
  if (!writer) return writer.error();
  if (auto added = writer->add_threads(trace.threads); !added) return added;
  if (auto added = writer->add_sites(trace.sites); !added) return added;
  if (auto added = writer->add_globals(trace.globals); !added) return added;
  if (auto appended = writer->append(trace.events); !appended) return appended;
  return writer->finish(trace.complete ? std::optional(trace.ending) : std::nullopt);
}

}  // namespace heddle::trace
