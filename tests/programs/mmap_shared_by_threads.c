// SPDX-License-Identifier: Apache-2.0
// Anonymous pages from mmap are ordinary shared memory for the threads of the process until munmap.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

struct Page {
  atomic_int counter;
  int plain[2];
};

static struct Page* page;

static void* worker(void* argument) {
  int* slot = argument;
  *slot = 1 + atomic_fetch_add(&page->counter, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED);
  assert(page->counter == 0 && page->plain[1] == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &page->plain[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(page->plain[0] + page->plain[1] == 3 && page->counter == 2);
  assert(munmap(page, 8192) == 0);
  return 0;
}
