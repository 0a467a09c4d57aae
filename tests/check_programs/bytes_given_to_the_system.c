// SPDX-License-Identifier: Apache-2.0
//
// A call reads the bytes that it gives to the system: one of them that another
// thread changes meanwhile is a race.
//
// heddle-check: cflags='-DCALL=write(file,bytes,sizeof(bytes))' options='--races' all=violated finding=race instead=mcr
// heddle-check: cflags='-DCALL=pwrite(file,bytes,sizeof(bytes),0)' options='--races' all=violated finding=race
// heddle-check: cflags='-DCALL=writev(file,&part,1)' options='--races' all=violated finding=race instead=mcr
// heddle-check: cflags='-DCALL=send(file,bytes,sizeof(bytes),0)' options='--races' all=violated finding=race instead=mcr
// heddle-check: cflags='-DCALL=sendmsg(file,&message,0)' options='--races' all=violated finding=race instead=mcr
// heddle-check: cflags='-DCALL=fwrite(bytes,1,sizeof(bytes),stderr)' options='--races' all=violated finding=race
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static char bytes[3] = {'.', '.', '.'};

static void *change(void *unused) {
  bytes[1] = ' ';
  return unused;
}

int main(void) {
  pthread_t thread;
  const int file = open("/dev/null", O_WRONLY);
  struct iovec part = {bytes, sizeof bytes};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  pthread_create(&thread, NULL, change, NULL);
  (void)message, (void)CALL;
  pthread_join(thread, NULL);
  close(file);
  return 0;
}
