// SPDX-License-Identifier: Apache-2.0
//
// Processes and libraries that the program starts. A forked child runs on by
// itself, without the host: its memory is its own, so nothing it does is an
// event of this run.
#include <dlfcn.h>
#include <unistd.h>

#include "failure.h"
#include "real.h"
#include "scheduler.h"
#include "server.h"
#include "state.h"

using namespace heddle::rt;

HEDDLE_EXPORT pid_t fork() {
  find_real_functions();
  if (!modelled()) return real.fork();
  real.fflush(nullptr);
  const pid_t child = real.fork();
  if (child == 0) detach_from_host();
  return child;
}

HEDDLE_EXPORT pid_t vfork() { return fork(); }

HEDDLE_EXPORT void* dlopen(const char* file, int flags) {
  find_real_functions();
  void* library = real.dlopen(file, flags);
  if (modelled() && library && dlsym(library, "__heddle_program_version"))
    unsupported("dlopen of a library built with heddle cc; link it instead");
  return library;
}
