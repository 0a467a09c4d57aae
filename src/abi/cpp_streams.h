/* SPDX-License-Identifier: Apache-2.0
 *
 * How libstdc++ keeps an input stream (its ABI has been the same since GCC 3.4): for the recorder, which
 * notes how a stream stands after a call, and for controlled runs, which put it back. */
#ifndef HEDDLE_ABI_CPP_STREAMS_H
#define HEDDLE_ABI_CPP_STREAMS_H

#include <stdint.h>
#include <string.h>

#define HEDDLE_ISTREAM_TAKEN 8    /* in std::istream: characters that the last call took */
#define HEDDLE_ISTREAM_STATE 32   /* in std::ios: good, eof, fail, bad */
#define HEDDLE_ISTREAM_BUFFER 232 /* in std::ios: the stream's buffer */

typedef struct HeddleStreamState {
  uint64_t taken;
  uint32_t bits;
  uint32_t unused;
} HeddleStreamState;

/* A std::string: a text shorter than `room` lies in it. */
typedef struct HeddleString {
  char* begin;
  uint64_t size;
  char room[16];
} HeddleString;

/* The std::ios of a std::istream, which is a virtual base of it. */
static inline char* heddle_ios_of(void* stream) {
  const char* table;
  int64_t offset;
  memcpy(&table, stream, sizeof table);
  memcpy(&offset, table - 24, sizeof offset);
  return (char*)stream + offset;
}

#endif
