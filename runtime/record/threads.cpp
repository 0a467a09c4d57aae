// SPDX-License-Identifier: Apache-2.0
//
// A thread gets its record from whoever creates it, so that its name says where it comes from.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record.h"

using namespace heddle::record_run;

namespace {

pthread_key_t g_end_key;

// Keys are cleaned up last, after the destructors of thread_local objects.
void end_thread(void* given) {
  auto* record = static_cast<HeddlePath*>(given);
  if (!g_recording) return;
  stamp(*record, HEDDLE_STAMP_END);
  record->state = HEDDLE_RECORD_ENDED;
  own_record() = &__heddle_no_path;
  ignore_core();
  leave_signal_stack();
}

__attribute__((constructor(102))) void make_end_key() {
  if (g_recording) pthread_key_create(&g_end_key, end_thread);
}

void* begin_thread(void* given) {
  auto* record = static_cast<HeddlePath*>(given);
  const auto entry = reinterpret_cast<void* (*)(void*)>(record->entry);
  void* argument = reinterpret_cast<void*>(record->argument);
  if (!g_recording) return entry(argument);
  record->process_thread = static_cast<int32_t>(syscall(SYS_gettid));
  own_record() = record;
  pthread_setspecific(g_end_key, record);
  use_signal_stack();
  const uint64_t words[] = {record->entry, record->argument};
  note(*record, HEDDLE_NOTE_ENTRY, 0, words, 2);
  stamp(*record, HEDDLE_STAMP_BEGIN);
  if (g_recording->cores == HEDDLE_CORES_MARKED) watch_core();
  return entry(argument);
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* result, const pthread_attr_t* attributes, void* (*entry)(void*),
                                 void* argument) {
  static const auto create = reinterpret_cast<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      dlsym(RTLD_NEXT, "pthread_create"));
  HeddlePath* parent = recorded_thread();
  HeddlePath* child = parent ? new_record(parent->number, parent->children++) : nullptr;
  if (!child) return create(result, attributes, entry, argument);
  child->entry = reinterpret_cast<uint64_t>(entry);
  child->argument = reinterpret_cast<uint64_t>(argument);
  const int error = create(result, attributes, begin_thread, child);
  if (error) {
    child->state = HEDDLE_RECORD_UNUSED;
    return error;
  }
  const uint64_t words[] = {position(*parent), child->number};
  note(*parent, HEDDLE_NOTE_CREATED, parent->site, words, 2);
  return 0;
}
