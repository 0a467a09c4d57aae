// SPDX-License-Identifier: Apache-2.0
// A futex wait with a relative timeout returns ETIMEDOUT when nobody wakes it.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
// heddle: contains await
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;

int main(void) {
  struct timespec timeout = {0, 2000000};
  long code;
  do {
    code = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
  } while (code == 0 || errno == EINTR);
  assert(code == -1 && errno == ETIMEDOUT);
  return 0;
}
