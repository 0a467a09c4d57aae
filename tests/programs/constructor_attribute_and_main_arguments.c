// SPDX-License-Identifier: Apache-2.0
// Constructor functions run before main; argc, argv and their terminator are as the command line says.
// heddle: expect exit 0
// heddle: args one "two words" --three=3
// heddle: schedules all
#include <assert.h>
#include <stddef.h>
#include <string.h>

static int prepared;

__attribute__((constructor)) static void prepare(void) { prepared = 1; }

__attribute__((destructor)) static void finish(void) { assert(prepared == 2); }

int main(int argc, char** argv) {
  assert(prepared == 1);
  prepared = 2;
  assert(argc == 4 && argv[4] == NULL);
  assert(strcmp(argv[1], "one") == 0);
  assert(strcmp(argv[2], "two words") == 0);
  assert(strcmp(argv[3], "--three=3") == 0);
  argv[1][0] = 'O';
  assert(strcmp(argv[1], "One") == 0);
  return 0;
}
