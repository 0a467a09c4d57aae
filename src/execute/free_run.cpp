// SPDX-License-Identifier: Apache-2.0
#include "execute/free_run.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "abi/free_channel.h"
#include "execute/spawn.h"
#include "execute/standard_input.h"
#include "trace/slot_decoder.h"
#include "trace/writer.h"

namespace heddle::execute {
namespace {

// The shared memory and the process behind it; both go when this goes.
class FreeTarget {
 public:
  static base::Result<FreeTarget> start(const Subject& subject, const FreeRunOptions& options) {
    FreeTarget target;
    const int file = ::memfd_create("heddle-free", MFD_CLOEXEC);
    target.bytes_ = heddle_free_channel_size(options.chunks);
    void* memory = MAP_FAILED;
    if (file >= 0 && ::ftruncate(file, static_cast<off_t>(target.bytes_)) == 0)
      memory = ::mmap(nullptr, target.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
      const base::Error error{fmt::format("cannot create shared memory: {}", std::strerror(errno)), ""};
      if (file >= 0) ::close(file);
      return error;
    }
    target.channel_ = static_cast<HeddleFreeChannel*>(memory);
    target.channel_->magic = HEDDLE_FREE_MAGIC;
    target.channel_->version = HEDDLE_CHANNEL_VERSION;
    target.channel_->chunks = options.chunks;
    SpawnSettings spawn;
    spawn.executable = subject.executable;
    spawn.program_name = subject.program_name;
    spawn.arguments = subject.arguments;
    spawn.channel = file;
    spawn.output = options.output;
    spawn.errors = options.errors;
    spawn.input = rereadable_standard_input();
    auto process = spawn_target(spawn);
    ::close(file);
    if (!process) return process.error();
    target.process_ = *process;
    return target;
  }

  FreeTarget(FreeTarget&& other) noexcept
      : channel_(std::exchange(other.channel_, nullptr)),
        bytes_(other.bytes_),
        process_(std::exchange(other.process_, -1)) {}
  FreeTarget& operator=(FreeTarget&&) = delete;
  ~FreeTarget() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    if (channel_) ::munmap(channel_, bytes_);
  }

  HeddleFreeChannel& channel() { return *channel_; }

  // True once the process has ended; `status` says how.
  bool ended(int* status) {
    if (::waitpid(process_, status, WNOHANG) != process_) return false;
    process_ = -1;
    return true;
  }

  void stop() { ::kill(process_, SIGKILL); }

  void wait_for_chunk(uint32_t seen) {
    const timespec timeout{0, 20'000'000};
    ::syscall(SYS_futex, &channel_->full_chunks, FUTEX_WAIT, seen, &timeout, nullptr, 0);
  }

 private:
  FreeTarget() = default;
  HeddleFreeChannel* channel_ = nullptr;
  size_t bytes_ = 0;
  pid_t process_ = -1;
};

class Drain {
 public:
  Drain(HeddleFreeChannel& channel, trace::Writer& writer) : channel_(channel), writer_(writer) {}

  // Writes every chunk that is full; with `all`, those being filled too.
  base::Result<void> take(bool all) {
    std::vector<uint32_t> ready;
    HeddleFreeChunk* chunks = heddle_free_chunks(&channel_);
    for (uint32_t i = 0; i < channel_.chunks; ++i) {
      const uint32_t state = __atomic_load_n(&chunks[i].state, __ATOMIC_ACQUIRE);
      if (state == HEDDLE_CHUNK_FULL || (all && state == HEDDLE_CHUNK_FILLING)) ready.push_back(i);
    }
    std::sort(ready.begin(), ready.end(), [&](uint32_t a, uint32_t b) { return chunks[a].order < chunks[b].order; });
    if (auto known = add_threads(all); !known) return known.error();
    for (const uint32_t i : ready) {
      if (chunks[i].thread >= threads_) continue;  // one before it is just being made: later
      const uint64_t used = std::min<uint64_t>(__atomic_load_n(&chunks[i].end, __ATOMIC_ACQUIRE) - chunks[i].begin,
                                               HEDDLE_FREE_CHUNK_BYTES);
      const unsigned char* bytes = heddle_free_bytes(&channel_, i);
      // A thread that was stopped in the middle has not counted.
      const bool whole = __atomic_load_n(&chunks[i].state, __ATOMIC_ACQUIRE) == HEDDLE_CHUNK_FULL;
      const uint64_t count = whole ? chunks[i].count : trace::count_slot_events(bytes, used);
      const std::string_view payload(reinterpret_cast<const char*>(bytes), used);
      if (auto written = writer_.append_encoded(chunks[i].thread, payload, count); !written) return written.error();
      __atomic_store_n(&chunks[i].state, HEDDLE_CHUNK_EMPTY, __ATOMIC_RELEASE);
    }
    if (!ready.empty()) {
      __atomic_fetch_add(&channel_.empty_chunks, 1u, __ATOMIC_SEQ_CST);
      ::syscall(SYS_futex, &channel_.empty_chunks, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
    }
    return {};
  }

  // With `all`, nobody makes threads any more; one that was not completely made then never ran.
  base::Result<void> add_threads(bool all) {
    const uint32_t count = std::min(__atomic_load_n(&channel_.threads, __ATOMIC_ACQUIRE), HEDDLE_FREE_MOST_THREADS);
    std::vector<trace::Thread> fresh;
    for (; threads_ < count; ++threads_) {
      const HeddleFreeThread& thread = heddle_free_threads(&channel_)[threads_];
      if (__atomic_load_n(&thread.is_there, __ATOMIC_ACQUIRE)) {
        fresh.push_back({thread.parent, thread.child_number});
      } else if (all) {
        fresh.push_back({0, HEDDLE_FOREIGN_CHILD + HEDDLE_FREE_MOST_THREADS + threads_});
      } else {
        break;
      }
    }
    return fresh.empty() ? base::Result<void>() : writer_.add_threads(fresh);
  }

  uint32_t threads() const { return threads_; }

 private:
  HeddleFreeChannel& channel_;
  trace::Writer& writer_;
  uint32_t threads_ = 0;
};

trace::Ending ending_of(int status) {
  trace::Ending ending;
  if (WIFEXITED(status)) {
    ending.outcome = HEDDLE_OUTCOME_EXIT;
    ending.detail = static_cast<uint64_t>(WEXITSTATUS(status));
  } else {
    ending.outcome = HEDDLE_OUTCOME_KILLED;
    ending.detail = static_cast<uint64_t>(status);
    ending.message = how_it_ended(status);
  }
  return ending;
}

}  // namespace

base::Result<FreeRunResult> run_freely(const Subject& subject, const FreeRunOptions& options,
                                       const std::string& trace_path) {
  trace::Header header;
  header.program = subject.program_name;
  header.module_hash = subject.module_hash;
  header.mode = trace::Mode::kFree;
  header.memory_model = "sc";
  header.strategy = "free";
  header.instrumentation_version = HEDDLE_INSTRUMENTATION_VERSION;
  auto writer = trace::Writer::open(trace_path, header);
  if (!writer) return writer.error();
  const std::vector<trace::Site> unknown(1);
  if (auto added = writer->add_sites(subject.sites->empty() ? unknown : *subject.sites); !added) return added.error();
  if (auto added = writer->add_globals(*subject.globals); !added) return added.error();

  auto target = FreeTarget::start(subject, options);
  if (!target) return target.error();
  Drain drain(target->channel(), *writer);
  int status = 0;
  for (bool over = false; !over;) {
    if (options.interrupted && options.interrupted->load()) target->stop();
    const uint32_t seen = __atomic_load_n(&target->channel().full_chunks, __ATOMIC_SEQ_CST);
    over = target->ended(&status);
    if (auto taken = drain.take(over); !taken) return taken.error();
    if (!over && __atomic_load_n(&target->channel().full_chunks, __ATOMIC_SEQ_CST) == seen)
      target->wait_for_chunk(seen);
  }
  if (!target->channel().ready)
    return base::Error{fmt::format("the instrumented program {} could not start", subject.executable),
                       "a library it needs may be missing: try heddle doctor"};

  FreeRunResult result;
  result.ending = ending_of(status);
  if (auto named = drain.add_threads(true); !named) return named.error();
  const bool broke_off = result.ending.outcome == HEDDLE_OUTCOME_KILLED && WTERMSIG(status) == SIGKILL;
  auto finished = writer->finish(broke_off ? std::nullopt : std::optional(result.ending));
  if (!finished) return finished.error();
  result.events = writer->events_written();
  result.threads = drain.threads();
  result.plain_bytes = writer->plain_event_bytes();
  result.file_bytes = writer->bytes_written();
  return result;
}

}  // namespace heddle::execute
