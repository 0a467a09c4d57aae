// SPDX-License-Identifier: Apache-2.0
// Two threads wait on semaphores that only the other would release afterwards.
// heddle: expect deadlock
// heddle: schedules all
#include <semaphore.h>

#include <cassert>
#include <thread>

int main() {
  sem_t left, right;
  assert(sem_init(&left, 0, 0) == 0 && sem_init(&right, 0, 0) == 0);
  std::thread first([&] {
    sem_wait(&left);
    sem_post(&right);
  });
  std::thread second([&] {
    sem_wait(&right);
    sem_post(&left);
  });
  first.join();
  second.join();
  return 0;
}
