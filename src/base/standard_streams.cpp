// SPDX-License-Identifier: Apache-2.0
#include "base/standard_streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace heddle::base {

namespace {

bool g_was_closed[3];
void (*g_on_broken_pipe)(int) = SIG_DFL;

}  // namespace

void guard_standard_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is the stream's own. Nothing can be written to /dev/full, which makes that an error.
    const char* const replacement = stream == 1 ? "/dev/full" : "/dev/null";
    g_was_closed[stream] = ::open(replacement, stream == 0 ? O_RDONLY : O_WRONLY) == stream;
  }
  g_on_broken_pipe = ::signal(SIGPIPE, SIG_IGN);
}

void restore_standard_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (g_was_closed[stream]) ::close(stream);
  restore_broken_pipes();
}

void restore_broken_pipes() { ::signal(SIGPIPE, g_on_broken_pipe); }

}  // namespace heddle::base
