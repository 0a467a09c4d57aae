// SPDX-License-Identifier: Apache-2.0
// Two std::binary_semaphores pass a plain value to and fro between two threads.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore request(0), reply(0);
  int value = 0;
  std::thread server([&] {
    for (int i = 0; i < 3; i++) {
      request.acquire();
      value = value * 2;
      reply.release();
    }
  });
  for (int i = 1; i <= 3; i++) {
    value = i;
    request.release();
    reply.acquire();
    assert(value == 2 * i);
  }
  server.join();
  return 0;
}
