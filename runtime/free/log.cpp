// SPDX-License-Identifier: Apache-2.0
#include "log.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// What a thread has before it has anything: the first event finds no room.
HeddleFreeChunk g_no_chunk = {HEDDLE_CHUNK_EMPTY, 0, 1, 1, 0, 0};
HeddleFreeLog g_no_log = {&g_no_chunk, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, nullptr, 0, {}};

}  // namespace

__thread HeddleFreeLog* __heddle_free_log = &g_no_log;

namespace heddle::free_run {

HeddleFreeChannel* g_channel;

namespace {

constexpr uint32_t kDetachedChunks = 64;
bool g_detached;

void* fresh_memory(size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void futex(uint32_t* word, int operation, uint32_t value) {
  real_syscall()(SYS_futex, word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

uint32_t register_thread(uint32_t parent, uint32_t child_number) {
  const uint32_t number = __atomic_fetch_add(&g_channel->threads, 1u, __ATOMIC_SEQ_CST);
  if (number >= HEDDLE_FREE_MOST_THREADS) {
    static const char kMessage[] = "heddle: more threads than a trace can hold\n";
    (void)!write(2, kMessage, sizeof kMessage - 1);
    _exit(70);
  }
  HeddleFreeThread& thread = heddle_free_threads(g_channel)[number];
  thread.parent = parent;
  thread.child_number = child_number;
  __atomic_store_n(&thread.is_there, 1u, __ATOMIC_RELEASE);
  return number;
}

Log& make_log(uint32_t number) {
  Log* log = static_cast<Log*>(fresh_memory(sizeof(Log)));
  log->number = number;
  log->chunk = &g_no_chunk;
  return *log;
}

Log& new_log(uint32_t number) {
  Log& log = make_log(number);
  __heddle_free_log = &log;
  return log;
}

bool has_log() { return __heddle_free_log != &g_no_log; }

// A thread that nobody registered: code without bitcode started it by means of
// its own. It counts as a child of T0.
Log& foreign_log() {
  static uint32_t count;
  Log& log = new_log(register_thread(0, HEDDLE_FOREIGN_CHILD + __atomic_fetch_add(&count, 1u, __ATOMIC_RELAXED)));
  record(log, HEDDLE_THREAD_START, 0, 0, 0, 0, 0, 0, 0, next_sequence());
  return log;
}

Log& thread_log() {
  Log* log = &own_log();
  while (log->interrupted) log = log->interrupted;
  return *log;
}

void end_thread(Log& log) {
  for (Log* each = &log; each; each = each->handler) {
    record(*each, HEDDLE_THREAD_END, 0, 0, 0, 0, 0, 0, 0, next_sequence());
    end_chunk(*each);
  }
}

void begin_chunk(Log& log) {
  for (;;) {
    const uint32_t seen = __atomic_load_n(&g_channel->empty_chunks, __ATOMIC_SEQ_CST);
    for (uint32_t probe = 0; probe < g_channel->chunks; ++probe) {
      const uint32_t at = (log.number * 7 + probe) % g_channel->chunks;
      HeddleFreeChunk& chunk = heddle_free_chunks(g_channel)[at];
      uint32_t expected = HEDDLE_CHUNK_EMPTY;
      if (__atomic_load_n(&chunk.state, __ATOMIC_RELAXED) != HEDDLE_CHUNK_EMPTY) continue;
      if (!__atomic_compare_exchange_n(&chunk.state, &expected, HEDDLE_CHUNK_FILLING, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED))
        continue;
      const uint64_t bytes = reinterpret_cast<uint64_t>(heddle_free_bytes(g_channel, at));
      chunk.thread = log.number;
      chunk.begin = chunk.end = bytes;
      __atomic_store_n(&chunk.order, __atomic_add_fetch(&g_channel->chunk_orders, 1, __ATOMIC_SEQ_CST),
                       __ATOMIC_RELEASE);
      log.first_index = log.index;
      log.others = 0;
      log.last_sequence = 0;
      memset(log.slots, 0, sizeof log.slots);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);  // a handler that never comes back finds all or nothing
      log.chunk = &chunk;
      log.limit = bytes + HEDDLE_FREE_CHUNK_BYTES - HEDDLE_SLOT_EVENT_BYTES;
      return;
    }
    futex(&g_channel->empty_chunks, FUTEX_WAIT, seen);
  }
}

void end_chunk(Log& log) {
  HeddleFreeChunk* chunk = log.chunk;
  if (chunk == &g_no_chunk) return;
  log.chunk = &g_no_chunk;
  log.limit = 0;
  if (g_detached) {  // nobody reads it
    __atomic_store_n(&chunk->state, HEDDLE_CHUNK_EMPTY, __ATOMIC_RELEASE);
    return;
  }
  chunk->count = log.index - log.first_index + log.others;
  __atomic_store_n(&chunk->state, HEDDLE_CHUNK_FULL, __ATOMIC_RELEASE);
  __atomic_fetch_add(&g_channel->full_chunks, 1u, __ATOMIC_SEQ_CST);
  futex(&g_channel->full_chunks, FUTEX_WAKE, 1);
}

void detach() {
  HeddleFreeChannel* own = static_cast<HeddleFreeChannel*>(fresh_memory(heddle_free_channel_size(kDetachedChunks)));
  own->chunks = kDetachedChunks;
  own->threads = __atomic_load_n(&g_channel->threads, __ATOMIC_RELAXED);
  g_channel = own;
  g_detached = true;
  if (!has_log()) return;
  for (Log* log = &thread_log(); log; log = log->handler) {
    log->chunk = &g_no_chunk;
    log->limit = 0;
  }
}

}  // namespace heddle::free_run
