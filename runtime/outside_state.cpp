// SPDX-License-Identifier: Apache-2.0
#include "outside_state.h"

#include <string.h>

namespace heddle::rt {
namespace {

struct Entry {
  HeddleOutsideState state;
  const char* names;  // each with a space before and after it
};
const Entry kEntries[] = {
    {HEDDLE_STATE_RANDOM, " rand srand random srandom initstate setstate drand48 lrand48 mrand48 srand48 seed48 "},
    {HEDDLE_STATE_STREAM,
     " fgetc fgetc_unlocked getc getc_unlocked getchar getchar_unlocked ungetc fgets fgets_unlocked fread "
     "fread_unlocked __fread_chk __fgets_chk "
     "gets getline getdelim __getdelim scanf fscanf __isoc99_scanf __isoc99_fscanf __isoc23_scanf __isoc23_fscanf "
     "ftell ftello fseek fseeko rewind "
     "feof clearerr lseek readdir strtok "},
    {HEDDLE_STATE_ENVIRONMENT, " setenv unsetenv putenv clearenv setlocale chdir umask "},
    {HEDDLE_STATE_DESCRIPTORS,
     " open open64 openat openat64 creat close dup dup2 dup3 pipe pipe2 socket socketpair eventfd epoll_create1 "
     "memfd_create "},
};

}  // namespace

HeddleOutsideState outside_state(const char* function) {
  const size_t length = strlen(function);
  for (const Entry& entry : kEntries)
    for (const char* at = strstr(entry.names, function); at; at = strstr(at + 1, function))
      if (at[-1] == ' ' && at[length] == ' ') return entry.state;
  return HEDDLE_STATE_NONE;
}

}  // namespace heddle::rt
