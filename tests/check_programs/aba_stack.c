// SPDX-License-Identifier: Apache-2.0
//
// A lock-free stack whose users read a node under a lock, so that nobody reads what
// was released, but move the top by a compare-and-exchange outside of it. If the node
// on top was taken, released, allocated again and put back meanwhile, the exchange
// finds the address it expects and puts a node on top that is gone (ABA).
//
// heddle-check: sc=holds tso=holds
// heddle-check: options='--heap=reuse' sc=violated tso=violated finding=use-after-free reduce=learn,dpor
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static _Atomic(struct Node *) top;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
  struct Node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &node->next, node)) {
  }
}

// For who holds the lock.
static struct Node *take(void) {
  struct Node *node = atomic_load(&top);
  while (node && !atomic_compare_exchange_strong(&top, &node, node->next)) {
  }
  return node;
}

static void *take_one(void *unused) {
  pthread_mutex_lock(&reading);
  struct Node *node = atomic_load(&top);
  struct Node *next = node ? node->next : NULL;
  pthread_mutex_unlock(&reading);
  if (node) atomic_compare_exchange_strong(&top, &node, next);
  return unused;
}

static void *exchange_all(void *unused) {
  pthread_mutex_lock(&reading);
  struct Node *first = take();
  free(take());
  free(first);
  push(3);
  pthread_mutex_unlock(&reading);
  return unused;
}

int main(void) {
  pthread_t taker, exchanger;
  push(1);
  push(2);
  pthread_create(&taker, NULL, take_one, NULL);
  pthread_create(&exchanger, NULL, exchange_all, NULL);
  pthread_join(taker, NULL);
  pthread_join(exchanger, NULL);
  for (struct Node *node = atomic_load(&top); node; node = node->next) assert(node->value == 3);
  return 0;
}
