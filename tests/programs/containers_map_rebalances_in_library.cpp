// SPDX-License-Identifier: Apache-2.0
// Ascending keys make std::map rebalance inside libstdc++.so; a second thread then reads the whole tree.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::map<int, int> squares;
  std::thread writer([&] {
    for (int i = 0; i < 8; i++) {
      std::lock_guard<std::mutex> guard(mutex);
      squares.emplace(i, i * i);
      if (i % 3 == 2) squares.erase(i - 1);
    }
  });
  std::thread reader([&] {
    for (int round = 0; round < 2; round++) {
      std::lock_guard<std::mutex> guard(mutex);
      int last = -1;
      for (auto [key, square] : squares) {
        assert(key > last && square == key * key);
        last = key;
      }
    }
  });
  writer.join();
  reader.join();
  assert(squares.size() == 6 && squares.count(1) == 0);
  return 0;
}
