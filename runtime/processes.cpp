// SPDX-License-Identifier: Apache-2.0
//
// Processes and libraries that the program starts. A forked child runs on by
// itself, without the host: its memory is its own, so nothing it does is an
// event of this run.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "mappings.h"
#include "real.h"
#include "scheduler.h"
#include "server.h"
#include "state.h"

using namespace heddle::rt;

namespace {

// Does this shared library have a section with bitcode of Heddle?
bool carries_bitcode(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file < 0) return false;
  void* memory = MAP_FAILED;
  if (fstat(file, &info) == 0 && static_cast<size_t>(info.st_size) > sizeof(Elf64_Ehdr))
    memory = real.mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory == MAP_FAILED) return false;
  static const char kName[] = ".heddle.bitcode";
  const void* found = memmem(memory, static_cast<size_t>(info.st_size), kName, sizeof kName);
  real.munmap(memory, static_cast<size_t>(info.st_size));
  return found != nullptr;
}

}  // namespace

HEDDLE_EXPORT pid_t fork() {
  find_real_functions();
  if (!modelled()) return real.fork();
  if (shares_sync_objects()) unsupported("objects of synchronisation that a forked process shares");
  real.fflush(nullptr);
  const pid_t child = real.fork();
  if (child == 0) detach_from_host();
  return child;
}

HEDDLE_EXPORT pid_t vfork() { return fork(); }

HEDDLE_EXPORT void* dlopen(const char* file, int flags) {
  find_real_functions();
  if (modelled() && file && carries_bitcode(file))
    bad_input("dlopen of a library built with heddle cc: its code would run unseen; link the program with it instead");
  return real.dlopen(file, flags);
}

// In a forked child exec is the child's own affair. In the program itself it
// would replace what Heddle watches.
namespace {

void check_exec() {
  find_real_functions();
  if (modelled() && !g.detached) unsupported("exec without fork");
}

constexpr int kMostArguments = 4096;

// The arguments of execl and its like as a list.
void collect(const char* first, va_list rest, char** list) {
  int count = 0;
  list[count++] = const_cast<char*>(first);
  while (list[count - 1] && count < kMostArguments) list[count++] = va_arg(rest, char*);
  list[kMostArguments] = nullptr;
}

template <typename Function>
Function real_exec(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

HEDDLE_EXPORT int execve(const char* path, char* const* arguments, char* const* environment) {
  check_exec();
  return real_exec<decltype(&execve)>("execve")(path, arguments, environment);
}
HEDDLE_EXPORT int execv(const char* path, char* const* arguments) {
  check_exec();
  return real_exec<decltype(&execv)>("execv")(path, arguments);
}
HEDDLE_EXPORT int execvp(const char* file, char* const* arguments) {
  check_exec();
  return real_exec<decltype(&execvp)>("execvp")(file, arguments);
}
HEDDLE_EXPORT int execl(const char* path, const char* first, ...) {
  char* list[kMostArguments + 1];
  va_list rest;
  va_start(rest, first);
  collect(first, rest, list);
  va_end(rest);
  return execv(path, list);
}
HEDDLE_EXPORT int execlp(const char* file, const char* first, ...) {
  char* list[kMostArguments + 1];
  va_list rest;
  va_start(rest, first);
  collect(first, rest, list);
  va_end(rest);
  return execvp(file, list);
}
