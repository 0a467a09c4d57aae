/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings: what a program did in production, thread by thread, cheap enough to be
 * always on. The recorded program maps one file and writes into it as it runs, without
 * locks and without a word between threads; the file is the recording. So what was
 * written is there whatever becomes of the process.
 *
 *   HeddleRecording | facts | thread records | chunks
 *
 * A thread has two streams of 64-bit words. The path: one bit a conditional branch, in a
 * word behind a leading one:
 *
 *   word = 1                                 no bits
 *   word = word << 1 | taken                 in the program's own code; in the thread record before anything notices
 *   if (word >> 56) word = full(word)        into the thread's chunk; begin again with 1
 *
 * and the notes: what cannot be known from the path, such as results of calls that bring
 * input. docs/reference/recording.md says what a reader may rely on.
 */
#ifndef HEDDLE_ABI_RECORDING_H
#define HEDDLE_ABI_RECORDING_H

#include <stdint.h>

#define HEDDLE_RECORDING_MAGIC 0x43455244444548ull /* "HEDDREC" */
#define HEDDLE_RECORDING_VERSION 3u
#define HEDDLE_RECORDING_VARIABLE "HEDDLE_RECORDING"
#define HEDDLE_MOST_RECORDED 65536u /* threads, in all */
#define HEDDLE_RECORDED_CHUNK_BYTES 65536u
#define HEDDLE_RECORDED_PAGE 4096u
#define HEDDLE_PATH_EMPTY 1ull
#define HEDDLE_VALUE_BITS 18u /* kept of each value that is read: the highest of its product with */
#define HEDDLE_VALUE_FACTOR 0x9e3779b97f4a7c15ull
#define HEDDLE_VALUES_EMPTY 1ull         /* no values; they stand behind a leading one */
#define HEDDLE_VALUES_FULL (1ull << 54)  /* three of them: no room for another */
#define HEDDLE_PATH_SPARE 8u             /* bits that fit after a look whether the word is full */
#define HEDDLE_HANDLER_RECORD (1u << 29) /* child numbers of signal handlers begin here, */
#define HEDDLE_FOREIGN_RECORD (1u << 30) /* and here those of threads that nobody saw created */
#define HEDDLE_NO_RECORD 0xffffffffu

enum { HEDDLE_STREAM_PATH = 0, HEDDLE_STREAM_NOTES = 1 };
enum { HEDDLE_RECORD_UNUSED = 0, HEDDLE_RECORD_RUNS = 1, HEDDLE_RECORD_ENDED = 2 };
enum {
  HEDDLE_RECORD_LATE = 1, /* its first branches are missing */
  HEDDLE_RECORD_CUT = 2,  /* no room was left: its last branches are missing; shifted by the stream: its last notes */
};

/* A thread. Its code has `word` up to date whenever it touches memory, calls or returns; all else is the runtime's. */
typedef struct HeddlePath {
  __attribute__((aligned(128))) uint64_t word;
  uint32_t site;  /* of the last call that left the program's own code */
  uint32_t state; /* HEDDLE_RECORD_... */
  uint32_t number, parent, child_number, flags;
  uint32_t children, handlers;
  int32_t process_thread; /* the kernel's number */
  uint32_t interrupted;   /* of a handler: number of the record it interrupted; else HEDDLE_NO_RECORD */
  uint32_t handler;       /* number of the record of handlers that interrupt this one; 0: none yet */
  uint32_t unused;
  uint64_t entry, argument; /* of the thread's function */
  struct HeddleStream {
    uint64_t words;  /* written so far, those that were dropped included */
    uint64_t chunk;  /* being filled: its address in the target; 0: none */
    uint64_t oldest; /* likewise */
  } stream[2];
  uint64_t values; /* that were read and are in no note yet; 0 if they are not recorded */
} HeddlePath;

typedef struct HeddleRecordedChunk {
  uint32_t magic; /* HEDDLE_CHUNK_MAGIC, or 0: never used */
  uint32_t thread;
  uint32_t stream;
  uint32_t used;  /* words after this header */
  uint64_t order; /* among the chunks of its stream, from 0 */
  uint64_t first; /* number of its first word in the stream */
  uint64_t next;  /* of the stream, by age; its address in the target; 0: none */
  uint32_t ready; /* words for which there is room on the disk */
  uint32_t unused;
  uint64_t bits; /* of a path: so many came before this chunk */
  uint64_t unused_too;
} HeddleRecordedChunk;
#define HEDDLE_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */
#define HEDDLE_CHUNK_WORDS ((HEDDLE_RECORDED_CHUNK_BYTES - sizeof(HeddleRecordedChunk)) / 8)

/* Notes. The first word: kind in bits 0-7, number of words that follow in bits 8-31, site
 * in bits 32-63. `position` is 64 times the number of words of the path that are in
 * chunks, plus the bits in the one that is not. */
enum {
  HEDDLE_NOTE_TARGET = 1,  /* an indirect call: address of the function */
  HEDDLE_NOTE_RESULT = 2,  /* a call that brought input: its result */
  HEDDLE_NOTE_BYTES = 3,   /* and what it wrote: address, number of bytes, the bytes; before the result */
  HEDDLE_NOTE_ENTRY = 4,   /* first of a thread: address of its function, argument */
  HEDDLE_NOTE_CREATED = 5, /* a thread was created: position, number of its record */
  HEDDLE_NOTE_HANDLED = 6, /* in the record of a handler, when it begins: position in what it interrupted, signal */
  HEDDLE_NOTE_CORE = 7,    /* after a store to shared memory: position, core, time stamp counter */
  HEDDLE_NOTE_STAMP = 8,   /* time stamp counter; in place of the site: HEDDLE_STAMP_... */
  HEDDLE_NOTE_VALUES = 9,  /* checks of the next three values that the thread read, behind a leading one */
};
enum {
  HEDDLE_STAMP_WORD = 0,  /* a word of the path was full, the first of these after the first word, and so on: what the
                             thread does at this position may be on either side */
  HEDDLE_STAMP_BEGIN = 1, /* before all that the thread does */
  HEDDLE_STAMP_END = 2,   /* after all that it did */
};
#define HEDDLE_NOTE_HEAD(kind, words, site) ((uint64_t)(kind) | (uint64_t)(words) << 8 | (uint64_t)(site) << 32)

/* The failing thread's last words. */
typedef struct HeddleRecordedFailure {
  uint32_t seen;        /* of signals that would end the process */
  uint32_t thread;      /* number of its record */
  int32_t signal, code; /* si_code */
  uint64_t address;     /* si_addr */
  uint64_t instruction; /* program counter */
  uint32_t site;        /* of the last call that left the program's own code */
  uint32_t unused;
} HeddleRecordedFailure;

enum {
  HEDDLE_RECORDING_UNFINISHED = 0,
  HEDDLE_RECORDING_EXITED = 1,
  HEDDLE_RECORDING_SIGNALLED = 2,
  HEDDLE_RECORDING_TIMED_OUT = 3
};
enum { HEDDLE_CORES_UNKNOWN = 0, HEDDLE_CORES_MARKED = 1 };

typedef struct HeddleRecording {
  uint64_t magic;
  uint32_t version, instrumentation;
  uint64_t file_bytes; /* as mapped by the target; the file is cut when it is finished */
  uint64_t facts_offset, facts_bytes, facts_hash;
  uint64_t threads_offset;
  uint64_t chunks_offset;
  uint64_t most_chunks; /* that may be taken; each stream may have two beyond */
  uint64_t all_chunks;  /* for which there are addresses */
  uint32_t keeps_last;  /* when all are taken, a stream's oldest one is used again */
  uint32_t path_words;  /* of a path that go into one chunk */
  uint32_t populates;   /* room on the disk is asked for as it is needed; else it is there */
  uint32_t marks_cores; /* asked for; HEDDLE_CORES_... in `cores` says whether it is so */
  uint32_t stamps;      /* threads note the time at every full word of their path */
  uint64_t
      stamp_margin; /* ticks of the time stamp counter: what is further apart than that was so in all cores' eyes */

  uint32_t ready;                                /* the target has mapped this; 2: and is of another version */
  uint32_t cores;                                /* HEDDLE_CORES_... */
  uint32_t ending;                               /* HEDDLE_RECORDING_..., by the host */
  int32_t status;                                /* exit code or signal */
  uint32_t stopped;                              /* errno that ended recording while the target went on; 0: none */
  uint32_t forked;                               /* children, which are not recorded */
  __attribute__((aligned(64))) uint64_t threads; /* taken */
  __attribute__((aligned(64))) uint64_t chunks;  /* taken; may exceed most_chunks */
  __attribute__((aligned(64))) HeddleRecordedFailure failure;
  uint32_t values; /* threads keep a check of every value that they read from memory that others may write */
} HeddleRecording;

#endif
