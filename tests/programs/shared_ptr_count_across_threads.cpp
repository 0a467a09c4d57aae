// SPDX-License-Identifier: Apache-2.0
// Copies of a shared_ptr in several threads count atomically: the object dies once, after the last copy.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=4
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> destroyed{0};

struct Payload {
  int value = 3;
  ~Payload() { destroyed++; }
};

int main() {
  auto payload = std::make_shared<Payload>();
  std::weak_ptr<Payload> weak = payload;
  auto use = [](std::shared_ptr<Payload> own) {
    std::shared_ptr<Payload> copy = own;
    own.reset();
    assert(copy->value == 3);
  };
  std::thread first(use, payload), second(use, payload);
  payload.reset();
  if (auto locked = weak.lock()) assert(locked->value == 3);
  first.join();
  second.join();
  assert(weak.expired() && destroyed == 1);
  return 0;
}
