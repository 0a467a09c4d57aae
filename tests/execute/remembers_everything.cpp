// SPDX-License-Identifier: Apache-2.0
//
// Leaves a trace in every kind of state a process has. A second run in the same
// process must not see any of it.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static int in_data = 7;
static int in_bss;
static char large[1 << 20];  // restored by dropping pages
static std::string constructed = "first";
static std::map<int, std::string> table;
static std::mutex lock;
thread_local int per_thread = 3;
thread_local std::unique_ptr<int> owned;

struct Counted {
  Counted() { assert(++in_bss == 1); }
  ~Counted() { std::printf("destroyed %d\n", in_bss); }
};
static Counted counted;

static void at_the_end() { std::printf("at exit, last %d\n", in_data); }

static int once() {
  static int value = in_data * 2;
  return value;
}

static void work(int number) {
  assert(per_thread == 3);
  per_thread += number;
  owned = std::make_unique<int>(number);
  errno = number;
  const std::lock_guard<std::mutex> guard(lock);
  table[number] = constructed + std::to_string(number);
  ++in_data;
  large[number * 4096] = 1;
  std::printf("worker %d of %d\n", number, once());
  try {
    if (number == 1) throw std::runtime_error("thrown");
  } catch (const std::exception& error) {
    std::cout << error.what() << std::endl;
  }
}

int main() {
  assert(in_data == 7 && in_bss == 1 && constructed == "first" && table.empty() && large[4096] == 0);
  assert(std::getenv("REMEMBERED") == nullptr && std::rand() == 1804289383);
  setenv("REMEMBERED", "yes", 1);
  std::atexit(at_the_end);
  char* block = static_cast<char*>(std::malloc(100));
  assert(block[50] == 0);
  std::memset(block, 0xff, 100);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  constructed = "changed";
  assert(in_data == 10 && table.size() == 3);
  std::free(block);
  return 0;
}
