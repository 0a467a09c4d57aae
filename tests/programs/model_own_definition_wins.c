// SPDX-License-Identifier: Apache-2.0
// A program's own strnlen and its own static strspn are what it calls; a library's model does not replace them.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -fno-builtin
#include <assert.h>
#include <stddef.h>

static int calls;

size_t strnlen(const char* text, size_t limit) {
  ++calls;
  (void)text;
  return limit + 1;
}

static size_t strspn(const char* text, const char* accepted) {
  ++calls;
  return *text == *accepted ? 100 : 200;
}

size_t strlen(const char* text);

int main(void) {
  assert(strnlen("abc", 10) == 11 && strspn("a", "b") == 200 && strlen("abc") == 3);
  assert(calls == 2);
  return 0;
}
