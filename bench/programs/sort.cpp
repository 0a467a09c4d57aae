// SPDX-License-Identifier: Apache-2.0
//
// sort [COUNT] [THREADS]: a parallel merge sort.
//
// Branch heavy: the data decides almost every branch. A call with T threads to
// its name gives one half and T/2 of them to a new thread and sorts the other
// half itself; the halves meet at the join and are merged through a second
// array. Short runs are sorted by insertion.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kShort = 24;

using Number = std::uint32_t;

void insertion_sort(Number* at, std::size_t count) {
  for (std::size_t i = 1; i < count; i++) {
    Number number = at[i];
    std::size_t k = i;
    for (; k > 0 && number < at[k - 1]; k--) at[k] = at[k - 1];
    at[k] = number;
  }
}

void merge(const Number* left, std::size_t left_count, const Number* right, std::size_t right_count, Number* out) {
  const Number *left_end = left + left_count, *right_end = right + right_count;
  while (left != left_end && right != right_end) *out++ = *right < *left ? *right++ : *left++;
  while (left != left_end) *out++ = *left++;
  while (right != right_end) *out++ = *right++;
}

// Sorts `at`; `spare` is as large and free to use.
void merge_sort(Number* at, Number* spare, std::size_t count, int threads) {
  if (count <= kShort) {
    insertion_sort(at, count);
    return;
  }
  std::size_t half = count / 2;
  if (threads > 1) {
    std::thread other(merge_sort, at, spare, half, threads / 2);
    merge_sort(at + half, spare + half, count - half, threads - threads / 2);
    other.join();
  } else {
    merge_sort(at, spare, half, 1);
    merge_sort(at + half, spare + half, count - half, 1);
  }
  merge(at, half, at + half, count - half, spare);
  for (std::size_t i = 0; i < count; i++) at[i] = spare[i];
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4500000;
  int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  if (threads < 1) {
    std::fprintf(stderr, "usage: sort [COUNT] [THREADS]\n");
    return 2;
  }

  std::vector<Number> numbers(count), spare(count);
  Number state = 2463534242u;
  std::uint64_t before = 0;
  for (Number& number : numbers) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    number = state;
    before += number;
  }
  merge_sort(numbers.data(), spare.data(), count, threads);

  std::uint64_t after = 0, checksum = 1469598103934665603ull;
  bool sorted = true;
  for (std::size_t i = 0; i < count; i++) {
    after += numbers[i];
    checksum = (checksum ^ numbers[i]) * 1099511628211ull;
    if (i > 0 && numbers[i] < numbers[i - 1]) sorted = false;
  }
  std::printf("sort %zu numbers %s checksum %016llx\n", count, sorted && before == after ? "sorted" : "WRONG",
              static_cast<unsigned long long>(checksum));
  return sorted && before == after ? 0 : 1;
}
