// SPDX-License-Identifier: Apache-2.0
//
// N threads use a player and then take the reference away and put it back. A
// thread that comes in between finds null (every memory model), and ends; with
// -DCRASH it uses the null pointer.
//
// -DN=... threads (published: 5).
//
// heddle-check: all=violated finding=assertion classes=5
// heddle-check: cflags='-DN=3' all=violated finding=assertion classes=19
// heddle-check: cflags='-DN=4' all=violated finding=assertion classes=65 test=no
// heddle-check: cflags='-DCRASH' all=violated finding=null-dereference
#include "paper.h"

#ifndef N
#define N 2
#endif

struct Player {
  shared_int value;
};
static struct Player the_player;
static SHARED_POINTER(struct Player) player;

static void *play(void *unused) {
  struct Player *const mine = READ(player);
  if (mine == NULL) {
    NULL_USED();
    return unused;
  }
  (void)READ(mine->value);
  struct Player *const again = READ(player);
  WRITE(player, NULL);
  WRITE(player, again);
  return unused;
}

int main(void) {
  pthread_t thread[N];
  WRITE(player, &the_player);
  for (int i = 0; i < N; i++) START(thread[i], play, 0);
  for (int i = 0; i < N; i++) JOIN(thread[i]);
  ASSERT_NO_BUG();
  return 0;
}
