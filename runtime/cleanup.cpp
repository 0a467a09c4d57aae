// SPDX-License-Identifier: Apache-2.0
#include "cleanup.h"

#include <pthread.h>
#include <setjmp.h>

#include "program_threads.h"

namespace heddle::rt {

void run_cleanup_buffer(Thread& self) {
  __pthread_unwind_buf_t* buffer = static_cast<__pthread_unwind_buf_t*>(self.cleanup);
  self.cleanup = buffer->__pad[0];
  longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  buffer->__pad[0] = g.current->cleanup;
  g.current->cleanup = buffer;
}

HEDDLE_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  g.current->cleanup = buffer->__pad[0];
}

HEDDLE_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t*) { unwind_thread(*g.current, g.current->result); }
