// SPDX-License-Identifier: Apache-2.0
// A server thread accepts as many connections as clients make, although its
// queue is short.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-accept >=3
// heddle: contains descriptor-connect >=3
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { kClients = 3 };
static int listener;
static struct sockaddr_un place = {AF_UNIX, "socket_accept_and_connect.socket"};

static void* server(void* argument) {
  for (int i = 0; i < kClients; ++i) {
    const int connection = accept(listener, NULL, NULL);
    char byte = 0;
    assert(connection >= 0);
    assert(read(connection, &byte, 1) == 1 && byte == 'c');
    close(connection);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  int clients[kClients];
  unlink(place.sun_path);
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(listener >= 0 && bind(listener, (struct sockaddr*)&place, sizeof place) == 0 && listen(listener, 0) == 0);
  assert(pthread_create(&thread, NULL, server, NULL) == 0);
  for (int i = 0; i < kClients; ++i) {
    clients[i] = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(clients[i], (struct sockaddr*)&place, sizeof place) == 0);
    assert(write(clients[i], "c", 1) == 1);
  }
  assert(pthread_join(thread, NULL) == 0);
  unlink(place.sun_path);
  return 0;
}
