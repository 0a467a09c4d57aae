// SPDX-License-Identifier: Apache-2.0
#include "real.h"

#include <dlfcn.h>
#include <unistd.h>

namespace heddle::rt {

RealFunctions real;

namespace {

template <typename Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  if (!function) {
    static const char kMessage[] = "heddle: internal error in the target: the C library lacks a function\n";
    (void)!::write(2, kMessage, sizeof kMessage - 1);
    ::_exit(70);
  }
}

}  // namespace

void find_real_functions() {
  if (real.exit_now) return;
  find(real.pthread_create, "pthread_create");
  find(real.pthread_attr_setstack, "pthread_attr_setstack");
  find(real.pthread_self, "pthread_self");
  find(real.mmap, "mmap");
  find(real.munmap, "munmap");
  find(real.syscall, "syscall");
  find(real.write, "write");
  find(real.sigaction, "sigaction");
  find(real.clock_gettime, "clock_gettime");
  find(real.fflush, "fflush");
  find(real.fork, "fork");
  find(real.dlopen, "dlopen");
  find(real.cxa_atexit, "__cxa_atexit");
  find(real.malloc_usable_size, "malloc_usable_size");
  find(real.exit_now, "_exit");
}

}  // namespace heddle::rt
