// SPDX-License-Identifier: Apache-2.0
//
// Words go into chunks of the mapped file. Room on the disk is asked for before a page is
// touched (a page that has none would be a signal), in growing steps, so that a thread that
// does little takes little.
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace heddle::record_run {

HeddleRecording* g_recording;

namespace {

using Chunk = HeddleRecordedChunk;

unsigned char* base() { return reinterpret_cast<unsigned char*>(g_recording); }

uint64_t* words_of(Chunk* chunk) { return reinterpret_cast<uint64_t*>(chunk + 1); }

bool is_stopped() { return __atomic_load_n(&g_recording->stopped, __ATOMIC_RELAXED) != 0; }
void stop(int why) { __atomic_store_n(&g_recording->stopped, static_cast<uint32_t>(why), __ATOMIC_RELAXED); }

// Makes the pages usable for sure; if that cannot be, recording ends here.
bool ask_for_room(void* begin, size_t bytes) {
  if (!g_recording->populates) return true;
  const auto first = reinterpret_cast<uintptr_t>(begin) & ~uintptr_t{HEDDLE_RECORDED_PAGE - 1};
  const size_t whole = reinterpret_cast<uintptr_t>(begin) + bytes - first;
  const int before = errno;
  while (madvise(reinterpret_cast<void*>(first), whole, MADV_POPULATE_WRITE) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    const int why = errno == EFAULT || errno == EHWPOISON ? ENOSPC : errno;
    stop(why);
    errno = before;
    return false;
  }
  errno = before;
  return true;
}

// 4 KB, 16 KB, then the whole chunk.
bool extend(Chunk* chunk) {
  const size_t now = sizeof(Chunk) + size_t{chunk->ready} * 8;
  const size_t then = now < HEDDLE_RECORDED_PAGE       ? HEDDLE_RECORDED_PAGE
                      : now < 4 * HEDDLE_RECORDED_PAGE ? 4 * HEDDLE_RECORDED_PAGE
                                                       : HEDDLE_RECORDED_CHUNK_BYTES;
  if (!ask_for_room(reinterpret_cast<unsigned char*>(chunk) + now, then - now)) return false;
  chunk->ready = static_cast<uint32_t>((then - sizeof(Chunk)) / 8);
  return true;
}

// A stream has two chunks before it uses one of them again: so there is something left of it right after that.
Chunk* take_chunk(const HeddlePath& record, uint32_t stream) {
  const bool has_two = record.stream[stream].oldest != record.stream[stream].chunk;
  if (has_two && __atomic_load_n(&g_recording->chunks, __ATOMIC_RELAXED) >= g_recording->most_chunks) return nullptr;
  const uint64_t number = __atomic_fetch_add(&g_recording->chunks, 1, __ATOMIC_RELAXED);
  if (number >= g_recording->all_chunks) return nullptr;
  auto* chunk = reinterpret_cast<Chunk*>(base() + g_recording->chunks_offset + number * HEDDLE_RECORDED_CHUNK_BYTES);
  return ask_for_room(chunk, sizeof(Chunk)) ? chunk : nullptr;
}

// How many bits of the path there are up to the end of this chunk.
uint64_t bits_through(Chunk* chunk) {
  uint64_t bits = chunk->bits;
  for (uint32_t i = 0; i < chunk->used; ++i)
    bits += static_cast<uint64_t>(63 - __builtin_clzll(words_of(chunk)[i] | 1));
  return bits;
}

Chunk* next_chunk(HeddlePath& record, uint32_t stream) {
  auto& log = record.stream[stream];
  auto* before = reinterpret_cast<Chunk*>(log.chunk);
  const uint64_t bits = before && stream == HEDDLE_STREAM_PATH ? bits_through(before) : 0;
  Chunk* chunk = take_chunk(record, stream);
  if (!chunk && g_recording->keeps_last && log.oldest && !is_stopped()) {
    chunk = reinterpret_cast<Chunk*>(log.oldest);
    log.oldest = chunk->next;
  }
  if (!chunk) {
    if (!is_stopped()) stop(EFBIG);
    return nullptr;
  }
  const uint64_t order = before ? before->order + 1 : 0;
  chunk->used = 0;
  __atomic_signal_fence(
      __ATOMIC_SEQ_CST);  // whoever reads after the process is gone must not take old words for new ones
  chunk->thread = record.number;
  chunk->stream = stream;
  chunk->order = order;
  chunk->first = log.words;
  chunk->bits = bits;
  chunk->next = 0;
  chunk->magic = HEDDLE_CHUNK_MAGIC;
  if (before && before != chunk) before->next = reinterpret_cast<uint64_t>(chunk);
  if (!log.oldest) log.oldest = reinterpret_cast<uint64_t>(chunk);
  log.chunk = reinterpret_cast<uint64_t>(chunk);
  return chunk;
}

// A chunk with room for so many words; null: they are lost, and all after them.
Chunk* chunk_for(HeddlePath& record, uint32_t stream, uint32_t count) {
  if (!g_recording || record.flags & (HEDDLE_RECORD_CUT << stream)) return nullptr;
  auto* chunk = reinterpret_cast<Chunk*>(record.stream[stream].chunk);
  const uint64_t room = stream == HEDDLE_STREAM_PATH ? g_recording->path_words : HEDDLE_CHUNK_WORDS;
  if (!chunk || chunk->used + count > room) chunk = next_chunk(record, stream);
  while (chunk && chunk->used + count > chunk->ready)
    if (!extend(chunk)) chunk = nullptr;
  if (!chunk) record.flags |= HEDDLE_RECORD_CUT << stream;
  return chunk;
}

// The words are there before they count.
void finish(Chunk* chunk, uint32_t count) { __atomic_store_n(&chunk->used, chunk->used + count, __ATOMIC_RELEASE); }

// A thread that code without bitcode started by means of its own: its first branches are gone.
HeddlePath* foreign_record() {
  static uint32_t count;
  HeddlePath* record = new_record(0, HEDDLE_FOREIGN_RECORD + __atomic_fetch_add(&count, 1u, __ATOMIC_RELAXED));
  if (!record) return nullptr;
  record->flags |= HEDDLE_RECORD_LATE;
  own_record() = record;
  return record;
}

}  // namespace

HeddlePath* record_number(uint32_t number) {
  return reinterpret_cast<HeddlePath*>(base() + g_recording->threads_offset) + number;
}

HeddlePath* new_record(uint32_t parent, uint32_t child_number) {
  if (!g_recording || is_stopped()) return nullptr;
  const uint64_t number = __atomic_fetch_add(&g_recording->threads, 1, __ATOMIC_RELAXED);
  if (number >= HEDDLE_MOST_RECORDED) return nullptr;
  HeddlePath* record = record_number(static_cast<uint32_t>(number));
  if (!ask_for_room(record, sizeof(HeddlePath))) return nullptr;
  record->word = HEDDLE_PATH_EMPTY;
  record->number = static_cast<uint32_t>(number);
  record->parent = parent;
  record->child_number = child_number;
  record->interrupted = HEDDLE_NO_RECORD;
  if (g_recording->values) record->values = HEDDLE_VALUES_EMPTY;
  record->state = HEDDLE_RECORD_RUNS;
  return record;
}

HeddlePath* recorded_thread() {
  if (!g_recording) return nullptr;
  return has_record() ? own_record() : foreign_record();
}

void append(HeddlePath& record, uint32_t stream, const uint64_t* words, uint32_t count) {
  Chunk* chunk = chunk_for(record, stream, count);
  if (!chunk) return;
  for (uint32_t i = 0; i < count; ++i) words_of(chunk)[chunk->used + i] = words[i];
  finish(chunk, count);
}

void append_bytes(HeddlePath& record, const uint64_t* words, uint32_t count, const void* bytes, size_t size) {
  const uint32_t whole = count + static_cast<uint32_t>((size + 7) / 8);
  if (Chunk* chunk = chunk_for(record, HEDDLE_STREAM_NOTES, whole)) {
    uint64_t* to = words_of(chunk) + chunk->used;
    to[whole - 1] = 0;
    memcpy(to, words, size_t{count} * 8);
    memcpy(to + count, bytes, size);
    finish(chunk, whole);
  }
  record.stream[HEDDLE_STREAM_NOTES].words += whole;
}

uint64_t position(const HeddlePath& record) {
  return record.stream[HEDDLE_STREAM_PATH].words * 64 + static_cast<uint64_t>(63 - __builtin_clzll(record.word | 1));
}

void note(HeddlePath& record, uint32_t kind, uint32_t site, const uint64_t* words, uint32_t count) {
  uint64_t whole[8];
  whole[0] = HEDDLE_NOTE_HEAD(kind, count, site);
  memcpy(whole + 1, words, size_t{count} * 8);
  append(record, HEDDLE_STREAM_NOTES, whole, count + 1);
  record.stream[HEDDLE_STREAM_NOTES].words += count + 1;
}

}  // namespace heddle::record_run

using namespace heddle::record_run;

// The word is in the chunk before it is gone from the record, and counted after that: a reader
// that finds it in both counts it once.
HEDDLE_EXPORT __attribute__((preserve_most)) uint64_t __heddle_path_full(uint64_t word) {
  HeddlePath* record = own_record();
  if (record == &__heddle_no_path) {
    recorded_thread();
    return HEDDLE_PATH_EMPTY;
  }
  if (word != HEDDLE_PATH_EMPTY) {
    append(*record, HEDDLE_STREAM_PATH, &word, 1);
    __atomic_store_n(&record->word, HEDDLE_PATH_EMPTY, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ++record->stream[HEDDLE_STREAM_PATH].words;
    if (g_recording) stamp(*record, HEDDLE_STAMP_WORD);
  }
  return HEDDLE_PATH_EMPTY;
}
