// SPDX-License-Identifier: Apache-2.0
//
// Thread-specific keys. A value belongs to one thread, so using it is not a
// visible operation.
#include "pthread_keys.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "store_buffer.h"

namespace heddle::rt {
namespace {

struct Key {
  KeyDestructor destructor;
  bool used;
};
Key g_keys[kKeys];
Key g_keys_before[kKeys];  // made before the run, by libraries
void* g_values_before[kKeys];

}  // namespace

KeyDestructor key_destructor(uint32_t key) { return g_keys[key].used ? g_keys[key].destructor : nullptr; }

void keys_remember() { memcpy(g_keys_before, g_keys, sizeof g_keys); }
void reset_keys() { memcpy(g_keys, g_keys_before, sizeof g_keys); }

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, KeyDestructor destructor) {
  for (uint32_t i = 0; i < kKeys; ++i) {
    if (g_keys[i].used) continue;
    if (modelled()) settle(*g.current);  // the key is written past the hooks
    g_keys[i] = {destructor, true};
    for (uint32_t t = 0; t < g.thread_count; ++t) g.threads[t]->keys[i] = nullptr;
    *key = i;
    return 0;
  }
  return EAGAIN;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (key >= kKeys || !g_keys[key].used) return EINVAL;
  g_keys[key].used = false;
  return 0;
}

HEDDLE_EXPORT void* pthread_getspecific(pthread_key_t key) {
  if (key >= kKeys || !g_keys[key].used) return nullptr;
  return modelled() ? g.current->keys[key] : g_values_before[key];
}

HEDDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= kKeys || !g_keys[key].used) return EINVAL;
  if (!modelled()) {
    g_values_before[key] = const_cast<void*>(value);
    return 0;
  }
  g.current->keys[key] = const_cast<void*>(value);
  if (g.current->keys_used <= key) g.current->keys_used = key + 1;
  return 0;
}
