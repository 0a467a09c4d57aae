// SPDX-License-Identifier: Apache-2.0
//
// Functions of the C library that the runtime has no other reason to replace, told
// what the recorded run was told.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "descriptors.h"
#include "given_inputs.h"
#include "real.h"
#include "support.h"

using namespace heddle::rt;

#define HEDDLE_GIVEN_CALL(name, ...)                               \
  HEDDLE_REAL(name);                                               \
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
HEDDLE_EXPORT int rand_r(unsigned* seed) noexcept {
  HEDDLE_GIVEN_CALL(rand_r, seed)
  return static_cast<int>(put_given(*given, seed, sizeof *seed));
}
HEDDLE_EXPORT ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
  HEDDLE_GIVEN_CALL(getrandom, bytes, size, flags)
  return static_cast<ssize_t>(put_given(*given, bytes, size));
}
HEDDLE_EXPORT size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  HEDDLE_GIVEN_CALL(fread, bytes, size, count, file)
  return static_cast<size_t>(put_given(*given, bytes, size * count));
}
HEDDLE_EXPORT char* fgets(char* text, int size, FILE* file) {
  HEDDLE_GIVEN_CALL(fgets, text, size, file)
  put_given(*given, text, static_cast<size_t>(size));
  return given->result ? text : nullptr;
}
HEDDLE_EXPORT int fgetc(FILE* file) {
  HEDDLE_GIVEN_CALL(fgetc, file)
  return static_cast<int>(given->result);
}
HEDDLE_EXPORT int getc(FILE* file) {
  HEDDLE_GIVEN_CALL(getc, file)
  return static_cast<int>(given->result);
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
