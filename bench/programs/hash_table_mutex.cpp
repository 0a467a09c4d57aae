// SPDX-License-Identifier: Apache-2.0
//
// hash_table_mutex [OPERATIONS] [THREADS] [KEYS]: a chained hash table with striped mutexes.
//
// Lock heavy: every operation takes one of 64 mutexes for a few memory
// accesses. Each thread makes its own fixed sequence of additions, lookups and
// cancellations (an addition taken back); these commute, so the checksum
// depends on OPERATIONS, THREADS and KEYS alone, not on the schedule.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kBuckets = 1 << 12;
constexpr std::size_t kStripes = 64;

class Table {
 public:
  Table() : buckets_(kBuckets, nullptr) {}
  ~Table() {
    for (Node* node : buckets_) {
      while (node) {
        Node* next = node->next;
        delete node;
        node = next;
      }
    }
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Adds `amount` to the key's value; the key comes to life at 0.
  void add(std::uint64_t key, std::int64_t amount) {
    std::size_t bucket = hash(key) % kBuckets;
    std::lock_guard<std::mutex> guard(stripes_[bucket % kStripes]);
    Node** link = &buckets_[bucket];
    while (*link && (*link)->key != key) link = &(*link)->next;
    if (!*link) *link = new Node{key, 0, nullptr};
    (*link)->value += amount;
  }

  bool contains(std::uint64_t key) {
    std::size_t bucket = hash(key) % kBuckets;
    std::lock_guard<std::mutex> guard(stripes_[bucket % kStripes]);
    for (Node* node = buckets_[bucket]; node; node = node->next) {
      if (node->key == key) return true;
    }
    return false;
  }

  // Call it when no thread uses the table any more. Does not depend on the order in a chain.
  std::uint64_t checksum() const {
    std::uint64_t sum = 0;
    for (Node* node : buckets_) {
      for (; node; node = node->next) sum += hash(node->key * 31 + static_cast<std::uint64_t>(node->value));
    }
    return sum;
  }

  static std::uint64_t hash(std::uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
  }

 private:
  struct Node {
    std::uint64_t key;
    std::int64_t value;
    Node* next;
  };
  std::vector<Node*> buckets_;
  std::array<std::mutex, kStripes> stripes_;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 8000000;
  int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  std::uint64_t keys = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 8192;
  if (threads < 1 || keys < 1) {
    std::fprintf(stderr, "usage: hash_table_mutex [OPERATIONS] [THREADS] [KEYS]\n");
    return 2;
  }

  Table table;
  std::vector<std::uint64_t> missing(threads, 0);
  auto work = [&](int me) {
    std::uint64_t state = Table::hash(static_cast<std::uint64_t>(me) + 1);
    for (std::uint64_t i = 0; i < operations / threads; i++) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      std::uint64_t key = (state >> 33) % keys;
      switch (state >> 61) {
        case 0:
        case 1:
        case 2:
          table.add(key, static_cast<std::int64_t>(i % 7));
          break;
        case 3:
          table.add(key, 5);
          table.add(key, -5);
          if (!table.contains(key)) missing[me]++;
          break;
        default:
          table.contains(key);
      }
    }
  };
  std::vector<std::thread> members;
  for (int i = 0; i < threads; i++) members.emplace_back(work, i);
  for (auto& member : members) member.join();

  std::uint64_t lost = 0;
  for (std::uint64_t n : missing) lost += n;
  std::printf("hash_table_mutex %llu operations lost %llu checksum %016llx\n",
              static_cast<unsigned long long>(operations), static_cast<unsigned long long>(lost),
              static_cast<unsigned long long>(table.checksum()));
  return lost == 0 ? 0 : 1;
}
