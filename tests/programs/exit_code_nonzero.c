// SPDX-License-Identifier: Apache-2.0
// A plain non-zero exit code is reported as it is.
// heddle: expect exit 42
// heddle: schedules all
// heddle: contains exit
#include <stdlib.h>

static void leave(int code) {
  if (code != 0) exit(code);
}

int main(void) {
  leave(0);
  leave(42);
  return 0;
}
