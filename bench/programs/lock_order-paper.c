// SPDX-License-Identifier: Apache-2.0
//
// The core of a web server (Jigsaw): a client that has finished takes the lock of
// the client list and then that of the factory; the thread that kills idle clients
// takes them the other way round: deadlock (every memory model). How many clients
// are idle, free, known and busy is asked without a lock. -DORDERED gives the
// list's lock up before.
//
// heddle-check: all=violated finding=deadlock classes=3
// heddle-check: cflags='-DORDERED' all=holds classes=6
#include "paper.h"

static shared_int idle, free_slots, clients, load;
static pthread_mutex_t client_list = PTHREAD_MUTEX_INITIALIZER, factory = PTHREAD_MUTEX_INITIALIZER;

static void client_finished(void) {
  LOCK(factory);
  WRITE(free_slots, READ(free_slots) + 1);
  WRITE(load, READ(load) - 1);
  UNLOCK(factory);
}

static void *connection_finished(void *unused) {
  if (READ(load) == 0) return unused;
#ifdef ORDERED
  client_finished();
  LOCK(client_list);
  WRITE(idle, READ(idle) + 1);
  UNLOCK(client_list);
#else
  LOCK(client_list);
  WRITE(idle, READ(idle) + 1);
  client_finished();
  UNLOCK(client_list);
#endif
  return unused;
}

static void delete_client(void) {
  LOCK(client_list);
  WRITE(idle, READ(idle) - 1);
  WRITE(clients, READ(clients) - 1);
  UNLOCK(client_list);
}

static void *kill_clients(void *unused) {
  if (READ(free_slots) > 1 || READ(clients) == 0) return unused;
  LOCK(factory);
  if (READ(idle) > 0) delete_client();
  UNLOCK(factory);
  return unused;
}

int main(void) {
  pthread_t connection, killer;
  WRITE(idle, 1);
  WRITE(clients, 2);
  WRITE(load, 1);
  START(connection, connection_finished, 0);
  START(killer, kill_clients, 0);
  JOIN(connection);
  JOIN(killer);
  return 0;
}
