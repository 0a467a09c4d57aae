// SPDX-License-Identifier: Apache-2.0
// Two threads talk over a pair of sockets; each waits for the other in turn.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-read >=6
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void* server(void* argument) {
  int request;
  while (recv(ends[1], &request, sizeof request, 0) == sizeof request) {
    const int reply = request * 2;
    struct iovec part = {(void*)&reply, sizeof reply};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    assert(sendmsg(ends[1], &message, 0) == sizeof reply);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(pthread_create(&thread, NULL, server, NULL) == 0);
  for (int i = 1; i <= 2; ++i) {
    char halves[2][2];
    int reply;
    assert(send(ends[0], &i, sizeof i, 0) == sizeof i);
    assert(recv(ends[0], halves[0], 2, MSG_WAITALL) == 2);
    assert(recvfrom(ends[0], halves[1], 2, MSG_WAITALL, NULL, NULL) == 2);
    memcpy(&reply, halves, sizeof reply);
    assert(reply == i * 2);
  }
  assert(shutdown(ends[0], SHUT_WR) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
