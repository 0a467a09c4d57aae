// SPDX-License-Identifier: Apache-2.0
//
// bounded_buffer [ITEMS] [PAIRS] [WORK]: producers and consumers share a buffer of 64 items under one mutex and
// two condition variables; each item takes some work to make and to use.
//
// Threads wait for one another all the time.
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Buffer {
 public:
  void put(uint64_t item) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return count_ < kRoom; });
    items_[(first_ + count_++) % kRoom] = item;
    not_empty_.notify_one();
  }
  uint64_t take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return count_ > 0; });
    const uint64_t item = items_[first_];
    first_ = (first_ + 1) % kRoom;
    --count_;
    not_full_.notify_one();
    return item;
  }

 private:
  static constexpr size_t kRoom = 64;
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  uint64_t items_[kRoom] = {};
  size_t first_ = 0, count_ = 0;
};

// How often a number is halved or tripled until it is 1: branches that nobody can predict.
uint64_t work(uint64_t number, unsigned times) {
  uint64_t steps = 0;
  for (unsigned i = 0; i < times; ++i)
    for (uint64_t n = number + i + 1; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t items = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000;
  const unsigned pairs = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 2;
  const unsigned effort = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 4;
  Buffer buffer;
  std::vector<uint64_t> sums(pairs);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < pairs; ++i) {
    threads.emplace_back([&, i] {
      for (uint64_t item = i; item < items; item += pairs) buffer.put(item + work(item, effort) * 0);
    });
    threads.emplace_back([&, i] {
      for (uint64_t item = i; item < items; item += pairs) {
        const uint64_t taken = buffer.take();
        sums[i] += taken + work(taken, effort);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  uint64_t sum = 0;
  for (const uint64_t part : sums) sum += part;
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
