// SPDX-License-Identifier: Apache-2.0
//
// Two threads move money between two accounts, in opposite directions. Each locks
// the account it takes from, then the one it gives to. If each has its first lock,
// none gets its second.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
  pthread_mutex_t lock;
  int money;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account wallet = {PTHREAD_MUTEX_INITIALIZER, 10};

static void move(struct account* from, struct account* to, int money) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->money -= money;
  to->money += money;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void* withdraw(void* argument) {
  move(&savings, &wallet, 20);
  return argument;
}

static void* save(void* argument) {
  move(&wallet, &savings, 5);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, withdraw, NULL);
  pthread_create(&second, NULL, save, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(savings.money + wallet.money == 110);
  return 0;
}
