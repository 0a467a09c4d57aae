// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export.h"
#include "lane.h"

using namespace heddle::compare;

namespace {

char scratch[PATH_MAX];

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
using Open = int (*)(const char*, int, ...);
using OpenFile = FILE* (*)(const char*, const char*);

bool is_device(const char* path) { return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0; }

// Where a file is kept in place of `path`.
bool place_of(const char* path, char (&place)[PATH_MAX]) {
  if (!channel || scratch[0] == 0 || !path || is_device(path)) return false;
  char whole[PATH_MAX];
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else if (!getcwd(whole, sizeof whole) || strlen(whole) + strlen(path) + 2 > sizeof whole) {
    return false;
  } else {
    strcat(strcat(whole, "/"), path);
  }
  int at = snprintf(place, sizeof place, "%s/", scratch);
  uint64_t hash = 1469598103934665603u;
  for (const char* next = whole; *next; ++next) hash = (hash ^ static_cast<unsigned char>(*next)) * 1099511628211u;
  const char* name = strrchr(whole, '/') + 1;
  at += snprintf(place + at, sizeof place - static_cast<size_t>(at), "%016lx-", hash);
  for (int i = 0; name[i] && i < 100 && at + 2 < PATH_MAX; ++i)
    place[at++] = (name[i] > ' ' && name[i] < 127) ? name[i] : '_';
  place[at] = 0;
  return true;
}

// Neither is the file there to be written, nor could it be made.
bool cannot_be_written(const char* path) {
  if (access(path, W_OK) == 0) return false;
  char parent[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", path);
  char* slash = strrchr(parent, '/');
  if (!slash) return access(".", W_OK) != 0;
  slash[slash == parent ? 1 : 0] = 0;
  return access(parent, W_OK) != 0;
}

// The file that is really opened. With `writes`, the one in the scratch directory, which
// begins as a copy of the original if there is one.
const char* opened(const char* path, bool writes, char (&place)[PATH_MAX]) {
  if (!place_of(path, place)) return path;
  if (access(place, F_OK) == 0) return place;
  if (!writes || cannot_be_written(path)) return path;
  static const Open open_file = real<Open>("open");
  const int from = open_file(path, O_RDONLY | O_CLOEXEC);
  if (from < 0) return place;
  const int to = open_file(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  char bytes[65536];
  for (ssize_t size; to >= 0 && (size = read(from, bytes, sizeof bytes)) > 0;)
    if (write(to, bytes, static_cast<size_t>(size)) != size) break;
  close(from);
  if (to >= 0) close(to);
  return place;
}

int open_as(const char* path, int flags, mode_t mode) {
  static const Open open_file = real<Open>("open");
  char place[PATH_MAX];
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  return open_file(opened(path, writes, place), flags, mode);
}

FILE* open_file_as(const char* path, const char* mode, OpenFile open_file) {
  char place[PATH_MAX];
  const bool writes = strpbrk(mode, "wa+") != nullptr;
  return open_file(opened(path, writes, place), mode);
}

mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | O_TMPFILE) ? static_cast<mode_t>(va_arg(rest, int)) : 0;
}

}  // namespace

namespace heddle::compare {

void set_scratch(const char* directory) {
  if (directory) snprintf(scratch, sizeof scratch, "%s", directory);
}

void redirect_output() {
  static const Open open_file = real<Open>("open");
  const char* names[] = {"output", "errors"};
  for (int i = 0; i < 2; ++i) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", scratch, names[i]);
    const int file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    if (file < 0) refuse("cannot write the run's output", strerror(errno));
    dup2(file, i + 1);
    close(file);
  }
}

}  // namespace heddle::compare

HEDDLE_EXPORT int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_as(path, flags, mode);
}

HEDDLE_EXPORT int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_as(path, flags, mode);
}

// Beside a directory that is open: only paths that do not need it.
static int open_beside(int directory, const char* path, int flags, mode_t mode) {
  if (path && (directory == AT_FDCWD || path[0] == '/')) return open_as(path, flags, mode);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  if (channel && lane.number != HEDDLE_NO_LANE && writes)
    refuse("the program writes a file beside an open directory", "openat");
  static const auto open_at = real<int (*)(int, const char*, int, ...)>("openat");
  return open_at(directory, path, flags, mode);
}

HEDDLE_EXPORT int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_beside(directory, path, flags, mode);
}

HEDDLE_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_beside(directory, path, flags, mode);
}

HEDDLE_EXPORT int creat(const char* path, mode_t mode) { return open_as(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

HEDDLE_EXPORT FILE* fopen(const char* path, const char* mode) {
  static const auto open_file = real<OpenFile>("fopen");
  return open_file_as(path, mode, open_file);
}

HEDDLE_EXPORT FILE* fopen64(const char* path, const char* mode) {
  static const auto open_file = real<OpenFile>("fopen64");
  return open_file_as(path, mode, open_file);
}

HEDDLE_EXPORT FILE* freopen(const char* path, const char* mode, FILE* file) {
  static const auto reopen = real<FILE* (*)(const char*, const char*, FILE*)>("freopen");
  char place[PATH_MAX];
  return reopen(opened(path, strpbrk(mode, "wa+") != nullptr, place), mode, file);
}
HEDDLE_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* file) { return freopen(path, mode, file); }

HEDDLE_EXPORT int truncate(const char* path, off_t size) {
  static const auto truncate_file = real<int (*)(const char*, off_t)>("truncate");
  char place[PATH_MAX];
  return truncate_file(opened(path, true, place), size);
}

HEDDLE_EXPORT int unlink(const char* path) {
  static const auto unlink_file = real<int (*)(const char*)>("unlink");
  char place[PATH_MAX];
  if (!place_of(path, place)) return unlink_file(path);
  // The original stays: the next run needs it.
  return access(place, F_OK) == 0 ? unlink_file(place) : access(path, F_OK);
}

HEDDLE_EXPORT int remove(const char* path) { return unlink(path); }

HEDDLE_EXPORT int rename(const char* from, const char* to) {
  static const auto rename_file = real<int (*)(const char*, const char*)>("rename");
  char place[PATH_MAX], new_place[PATH_MAX];
  if (!place_of(from, place) || !place_of(to, new_place)) return rename_file(from, to);
  opened(from, true, place);
  return rename_file(place, new_place);
}

// Other ways to change what is on the disk.
#define HEDDLE_REFUSED(name, parameters, arguments)                                                          \
  HEDDLE_EXPORT int name parameters {                                                                        \
    if (channel && lane.number != HEDDLE_NO_LANE) refuse("the program changes directories or links", #name); \
    return real<int(*) parameters>(#name) arguments;                                                         \
  }
HEDDLE_REFUSED(mkdir, (const char* path, mode_t mode), (path, mode))
HEDDLE_REFUSED(rmdir, (const char* path), (path))
HEDDLE_REFUSED(link, (const char* from, const char* to), (from, to))
HEDDLE_REFUSED(symlink, (const char* from, const char* to), (from, to))
HEDDLE_REFUSED(chmod, (const char* path, mode_t mode), (path, mode))
HEDDLE_REFUSED(unlinkat, (int directory, const char* path, int flags), (directory, path, flags))
HEDDLE_REFUSED(renameat, (int from, const char* path, int to, const char* new_path), (from, path, to, new_path))

// A run is one process.
HEDDLE_EXPORT pid_t fork() {
  static const auto real_fork = real<pid_t (*)()>("fork");
  if (channel && lane.number != HEDDLE_NO_LANE) refuse("the program starts processes", "fork");
  return real_fork();
}
HEDDLE_EXPORT pid_t vfork() { return fork(); }
HEDDLE_EXPORT int system(const char*) { refuse("the program starts processes", "system"); }
HEDDLE_EXPORT FILE* popen(const char*, const char*) { refuse("the program starts processes", "popen"); }
