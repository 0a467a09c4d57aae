// SPDX-License-Identifier: Apache-2.0
// Accesses through packed structs and memcpy at odd addresses read and write the right bytes.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct __attribute__((packed)) Record {
  uint8_t tag;
  uint64_t wide;
  uint16_t half;
  uint32_t word;
};

static struct Record records[2];

static void* worker(void* argument) {
  struct Record* record = argument;
  record->wide = 0x0102030405060708ull;
  record->half += 0x1234;
  record->word = record->half * 2u;
  record->tag = 9;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  uint64_t copy;
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &records[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(sizeof(struct Record) == 15);
  assert(memcmp(&records[0], &records[1], sizeof records[0]) == 0);
  memcpy(&copy, (char*)records + 3, sizeof copy);
  assert(copy == (0x0102030405060708ull >> 16 | 0x1234ull << 48));
  assert(records[1].word == 0x2468);
  return 0;
}
