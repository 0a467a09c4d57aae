// SPDX-License-Identifier: Apache-2.0
//
// A number that lies across two aligned words is written at once, and one byte
// of its second word is read: the byte may be the old or the new one.
//
// heddle-check: all=violated finding=assertion
// heddle-check: cflags='-DFIRST' all=violated finding=assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIRST
#define BYTE 7
#else
#define BYTE 8
#endif

static union {
  struct __attribute__((packed)) {
    char before[6];
    uint32_t number;
  };
  volatile char bytes[16];
  uint64_t words[2];
} shared;

static void *write_number(void *unused) {
  shared.number = 0x01010101;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_number, NULL);
  const char found = shared.bytes[BYTE];
  pthread_join(thread, NULL);
  assert(found == 0);
  return 0;
}
