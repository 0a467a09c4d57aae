// SPDX-License-Identifier: Apache-2.0
//
// Functions of the C library that the runtime has no other reason to replace, told
// what the recorded run was told.
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "given_inputs.h"
#include "real.h"
#include "support.h"

using namespace heddle::rt;

#define HEDDLE_GIVEN_CALL(name, ...)                                                                       \
  HEDDLE_REAL(name);                                                                                       \
  const HeddleGivenCall* given = called_by_program(__builtin_return_address(0)) ? given_input() : nullptr; \
  if (!given) return real_##name(__VA_ARGS__);

HEDDLE_EXPORT int rand() noexcept {
  HEDDLE_GIVEN_CALL(rand)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT long random() noexcept {
  HEDDLE_GIVEN_CALL(random)
  return static_cast<long>(given->result);
}
HEDDLE_EXPORT long lrand48() noexcept {
  HEDDLE_GIVEN_CALL(lrand48)
  return static_cast<long>(given->result);
}
HEDDLE_EXPORT long mrand48() noexcept {
  HEDDLE_GIVEN_CALL(mrand48)
  return static_cast<long>(given->result);
}
HEDDLE_EXPORT double drand48() noexcept {
  HEDDLE_GIVEN_CALL(drand48)
  double value;
  memcpy(&value, &given->result, sizeof value);
  return value;
}
HEDDLE_EXPORT int rand_r(unsigned* seed) noexcept {
  HEDDLE_GIVEN_CALL(rand_r, seed)
  return static_cast<int>(put_given(*given, seed, sizeof *seed));
}
HEDDLE_EXPORT ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
  HEDDLE_GIVEN_CALL(getrandom, bytes, size, flags)
  return static_cast<ssize_t>(put_given(*given, bytes, size));
}
// One number of std::random_device.
HEDDLE_EXPORT unsigned random_number(void* device) __asm__("_ZNSt13random_device9_M_getvalEv");
HEDDLE_EXPORT unsigned random_number(void* device) {
  static const auto real_random_number =
      reinterpret_cast<decltype(&random_number)>(dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv"));
  const HeddleGivenCall* given = called_by_program(__builtin_return_address(0)) ? given_input() : nullptr;
  return given ? static_cast<unsigned>(given->result) : real_random_number(device);
}

// What files are like.
HEDDLE_EXPORT int stat(const char* path, struct stat* facts) noexcept {
  HEDDLE_GIVEN_CALL(stat, path, facts)
  return put_given_int(*given, facts, sizeof *facts);
}
HEDDLE_EXPORT int lstat(const char* path, struct stat* facts) noexcept {
  HEDDLE_GIVEN_CALL(lstat, path, facts)
  return put_given_int(*given, facts, sizeof *facts);
}
HEDDLE_EXPORT int fstat(int descriptor, struct stat* facts) noexcept {
  HEDDLE_GIVEN_CALL(fstat, descriptor, facts)
  return put_given_int(*given, facts, sizeof *facts);
}
HEDDLE_EXPORT int stat64(const char* path, struct stat64* facts) noexcept {
  HEDDLE_GIVEN_CALL(stat64, path, facts)
  return put_given_int(*given, facts, sizeof *facts);
}
HEDDLE_EXPORT int lstat64(const char* path, struct stat64* facts) noexcept {
  HEDDLE_GIVEN_CALL(lstat64, path, facts)
  return put_given_int(*given, facts, sizeof *facts);
}
HEDDLE_EXPORT int fstat64(int descriptor, struct stat64* facts) noexcept {
  HEDDLE_GIVEN_CALL(fstat64, descriptor, facts)
  return put_given_int(*given, facts, sizeof *facts);
}
HEDDLE_EXPORT int access(const char* path, int mode) noexcept {
  HEDDLE_GIVEN_CALL(access, path, mode)
  return put_given_int(*given, nullptr, 0);
}
HEDDLE_EXPORT int isatty(int descriptor) noexcept {
  HEDDLE_GIVEN_CALL(isatty, descriptor)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT ssize_t readlink(const char* path, char* text, size_t size) noexcept {
  HEDDLE_GIVEN_CALL(readlink, path, text, size)
  return static_cast<ssize_t>(put_given(*given, text, size));
}
HEDDLE_EXPORT int gethostname(char* text, size_t size) noexcept {
  HEDDLE_GIVEN_CALL(gethostname, text, size)
  return put_given_int(*given, text, size);
}

HEDDLE_EXPORT ssize_t pread(int descriptor, void* bytes, size_t size, off_t offset) {
  HEDDLE_GIVEN_CALL(pread, descriptor, bytes, size, offset)
  return static_cast<ssize_t>(put_given(*given, bytes, size));
}
HEDDLE_EXPORT ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t offset) {
  HEDDLE_GIVEN_CALL(pread64, descriptor, bytes, size, offset)
  return static_cast<ssize_t>(put_given(*given, bytes, size));
}
// The text is in the caller's room, or in room that the library allocates.
HEDDLE_EXPORT char* getcwd(char* text, size_t size) noexcept {
  HEDDLE_GIVEN_CALL(getcwd, text, size)
  if (!given->result) return nullptr;
  const size_t length = strnlen(given_bytes(*given), given->bytes);
  if (!text) text = static_cast<char*>(malloc(length + 1));
  if (!text) return nullptr;
  memcpy(text, given_bytes(*given), length);
  text[length] = 0;
  return text;
}

HEDDLE_EXPORT pid_t getpid() noexcept {
  HEDDLE_GIVEN_CALL(getpid)
  return static_cast<pid_t>(given->result);
}
HEDDLE_EXPORT pid_t getppid() noexcept {
  HEDDLE_GIVEN_CALL(getppid)
  return static_cast<pid_t>(given->result);
}
HEDDLE_EXPORT pid_t gettid() noexcept {
  HEDDLE_GIVEN_CALL(gettid)
  return static_cast<pid_t>(given->result);
}
HEDDLE_EXPORT int sched_getcpu() noexcept {
  HEDDLE_GIVEN_CALL(sched_getcpu)
  return static_cast<int>(given->result);
}

namespace {

// The value of a variable, as the recorded run saw it; it stays where it is.
char* given_text(const HeddleGivenCall& call) {
  if (!call.result) return nullptr;
  char* text = static_cast<char*>(runtime_memory(call.bytes + 1));
  memcpy(text, given_bytes(call), call.bytes);
  return text;
}

}  // namespace

HEDDLE_EXPORT char* getenv(const char* name) noexcept {
  HEDDLE_GIVEN_CALL(getenv, name)
  return given_text(*given);
}
HEDDLE_EXPORT char* secure_getenv(const char* name) noexcept {
  HEDDLE_GIVEN_CALL(secure_getenv, name)
  return given_text(*given);
}
