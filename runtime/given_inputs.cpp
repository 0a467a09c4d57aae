// SPDX-License-Identifier: Apache-2.0
#include "given_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "real.h"
#include "support.h"

namespace heddle::rt {
namespace {

struct Given {
  bool looked_for;
  const char* file;
  const HeddleGivenCall* calls;
  uint64_t count;
  uint32_t* taken;  // by number of the first call of a thread at a site
};
Given g_given;

bool is_sound(const char* file, size_t size) {
  const auto* head = reinterpret_cast<const HeddleGivenHead*>(file);
  if (size < sizeof *head || head->magic != HEDDLE_GIVEN_MAGIC) return false;
  if (head->calls > (size - sizeof *head) / sizeof(HeddleGivenCall)) return false;
  const auto* calls = reinterpret_cast<const HeddleGivenCall*>(head + 1);
  for (uint64_t i = 0; i < head->calls; ++i)
    if (calls[i].offset > size || calls[i].bytes > size - calls[i].offset) return false;
  return true;
}

void look_for_file() {
  g_given.looked_for = true;
  const char* name = getenv(HEDDLE_GIVEN_VARIABLE);
  if (!name) return;
  const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (descriptor < 0 || fstat(descriptor, &info) != 0) runtime_broken("the recorded inputs are not there");
  const auto size = static_cast<size_t>(info.st_size);
  void* memory = real.mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED || !is_sound(static_cast<char*>(memory), size))
    runtime_broken("the recorded inputs are not readable");
  g_given.file = static_cast<char*>(memory);
  const auto* head = reinterpret_cast<const HeddleGivenHead*>(memory);
  g_given.calls = reinterpret_cast<const HeddleGivenCall*>(head + 1);
  g_given.count = head->calls;
  g_given.taken = static_cast<uint32_t*>(runtime_memory((head->calls + 1) * sizeof(uint32_t)));
}

uint64_t number_of(const Thread& thread) {
  return thread.parent ? heddle_thread_number(number_of(*thread.parent), thread.child_number)
                       : HEDDLE_FIRST_THREAD_NUMBER;
}

}  // namespace

const HeddleGivenCall* given_input() {
  if (!g_given.looked_for) look_for_file();
  if (!g_given.count || !g.current) return nullptr;
  const uint64_t thread = number_of(*g.current), site = g.current->site;
  uint64_t low = 0, high = g_given.count;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    const HeddleGivenCall& call = g_given.calls[middle];
    if (call.thread < thread || (call.thread == thread && call.site < site)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const uint64_t next = low + (low < g_given.count ? g_given.taken[low] : 0);
  if (next >= g_given.count || g_given.calls[next].thread != thread || g_given.calls[next].site != site) return nullptr;
  ++g_given.taken[low];
  return &g_given.calls[next];
}

const HeddleGivenCall* given_read(int descriptor) {
  const HeddleGivenCall* given = given_input();  // counts, whether it is taken or not
  if (!given) return nullptr;
  return connects_threads(descriptor) ? nullptr : given;
}

bool connects_threads(int descriptor) {
  struct stat info;
  const bool connects = fstat(descriptor, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
  return connects && examine_descriptor(descriptor, POLLIN).switches;
}

const char* given_bytes(const HeddleGivenCall& call) { return g_given.file + call.offset; }

int64_t put_given(const HeddleGivenCall& call, void* place, size_t room) {
  if (room) memcpy(place, given_bytes(call), call.bytes < room ? call.bytes : room);
  const auto result = static_cast<int64_t>(call.result);
  if (result < 0) errno = EIO;  // why it failed was not recorded
  return result;
}

int put_given_int(const HeddleGivenCall& call, void* place, size_t room) {
  const auto result = static_cast<int>(put_given(call, place, room));
  if (result < 0) errno = EIO;
  return result;
}

void reset_given_inputs() {
  if (g_given.count) memset(g_given.taken, 0, g_given.count * sizeof(uint32_t));
}

}  // namespace heddle::rt
