/* SPDX-License-Identifier: Apache-2.0
 *
 * Where objects lie, and what their memory holds before the first call.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "sequence.h"

enum { kPage = 4096 };

extern Object exported_objects[kMostObjects]; /* of a shared library that Heddle did not compile */

static Object in_globals[kMostObjects];
static _Thread_local Object in_thread_storage[kMostObjects];
static Object* in_stack; /* of main */

static Object* heap(int number) {
  (void)number;
  return malloc(sizeof(Object));
}
static Object* global(int number) { return &in_globals[number]; }
static Object* stack(int number) { return &in_stack[number]; }
static Object* thread_storage(int number) { return &in_thread_storage[number]; }
static Object* exported(int number) { return &exported_objects[number]; }

static Object* map(int flags, int file) {
  void* memory = mmap(NULL, kPage, PROT_READ | PROT_WRITE, flags, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}
static Object* mapped(int number) {
  (void)number;
  return map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
}
static Object* mapped_shared(int number) {
  (void)number;
  return map(MAP_SHARED | MAP_ANONYMOUS, -1);
}
static Object* mapped_file(int number) {
  (void)number;
  const int file = memfd_create("object", 0);
  return ftruncate(file, kPage) ? NULL : map(MAP_SHARED, file);
}
static Object* shared_memory(int number) {
  (void)number;
  const int id = shmget(IPC_PRIVATE, kPage, IPC_CREAT | 0600);
  void* memory = shmat(id, NULL, 0);
  shmctl(id, IPC_RMID, NULL);
  return memory == (void*)-1 ? NULL : memory;
}
static Object* break_memory(int number) {
  (void)number;
  return sbrk(sizeof(Object));
}
static Object* null(int number) {
  (void)number;
  return NULL;
}
static Object* unmapped(int number) { return (Object*)(0x2000 + 0x100 * (uintptr_t)number); }
static Object* not_canonical(int number) { return (Object*)(0xdead000000000000 + 0x100 * (uintptr_t)number); }

static const struct Place {
  const char* name;
  Object* (*find)(int number);
  int has_memory;
} kPlaces[] = {
    {"global", global, 1},
    {"heap", heap, 1},
    {"stack", stack, 1},
    {"tls", thread_storage, 1},
    {"mmap", mapped, 1},
    {"mmap_shared", mapped_shared, 1},
    {"file", mapped_file, 1},
    {"shm", shared_memory, 1},
    {"sbrk", break_memory, 1},
    {"library", exported, 1},
    {"null", null, 0},
    {"unmapped", unmapped, 0},
    {"noncanonical", not_canonical, 0},
};

static const struct Content {
  const char* name;
  Object object;
} kContents[] = {
    {"zero", {.bytes = {0}}},
    {"mutex_normal", {.mutex = PTHREAD_MUTEX_INITIALIZER}},
    {"mutex_recursive", {.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}},
    {"mutex_errorcheck", {.mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP}},
    {"mutex_adaptive", {.mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP}},
    {"rwlock_reader", {.rwlock = PTHREAD_RWLOCK_INITIALIZER}},
    {"rwlock_writer", {.rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP}},
    {"condition", {.condition = PTHREAD_COND_INITIALIZER}},
    {"once", {.once = PTHREAD_ONCE_INIT}},
    {"one", {.word = 1}},
};

static const struct Place* place_called(const char* name) {
  for (size_t i = 0; i < sizeof kPlaces / sizeof *kPlaces; ++i)
    if (!strcmp(kPlaces[i].name, name)) return &kPlaces[i];
  return NULL;
}

void use_stack(Object* objects) { in_stack = objects; }

Object* object_at(const char* name, int number, const char* content) {
  const struct Place* place = place_called(name);
  if (!place) refuse("no such place", name);
  Object* object = place->find(number);
  if (!place->has_memory) return object;
  if (!object) refuse("no memory there", name);
  for (size_t i = 0; i < sizeof kContents / sizeof *kContents; ++i)
    if (!strcmp(kContents[i].name, content)) {
      *object = kContents[i].object;
      return object;
    }
  refuse("no such content", content);
}

static long call_free(const Arguments* a) {
  free(a->object);
  return 0;
}
static long call_munmap(const Arguments* a) { return munmap(a->object, kPage); }
static long call_zero(const Arguments* a) {
  memset(a->object, 0, sizeof *a->object);
  return 0;
}

const Call kMemoryCalls[] = {{"free", call_free}, {"munmap", call_munmap}, {"memset", call_zero}, {NULL, NULL}};
