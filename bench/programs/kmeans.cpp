// SPDX-License-Identifier: Apache-2.0
//
// kmeans [POINTS] [THREADS] [ROUNDS]: Lloyd's k-means on integer points.
//
// Memory heavy: nearly all the work is plain reads of shared arrays by threads
// that meet only at the end of each round, to add their partial sums under one
// mutex. Coordinates and sums are integers, so the checksum does not depend on
// the number of threads or on the order in which they finish.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kDimensions = 8;
constexpr int kClusters = 16;

using Point = std::array<std::int32_t, kDimensions>;

struct Sum {
  std::array<std::int64_t, kDimensions> coordinates{};
  std::int64_t count = 0;
};
using Sums = std::array<Sum, kClusters>;

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Points scattered around kClusters centres.
std::vector<Point> make_points(std::size_t count) {
  std::uint64_t state = 88172645463325252ull;
  std::array<Point, kClusters> centres;
  for (Point& centre : centres) {
    for (auto& x : centre) x = static_cast<std::int32_t>(next_random(state) % 20000) - 10000;
  }
  std::vector<Point> points(count);
  for (std::size_t i = 0; i < count; i++) {
    const Point& centre = centres[next_random(state) % kClusters];
    for (int d = 0; d < kDimensions; d++) {
      points[i][d] = centre[d] + static_cast<std::int32_t>(next_random(state) % 4001) - 2000;
    }
  }
  return points;
}

int nearest(const Point& point, const std::vector<Point>& centres) {
  int best = 0;
  std::int64_t best_distance = std::numeric_limits<std::int64_t>::max();
  for (int c = 0; c < kClusters; c++) {
    std::int64_t distance = 0;
    for (int d = 0; d < kDimensions; d++) {
      std::int64_t difference = point[d] - centres[c][d];
      distance += difference * difference;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = c;
    }
  }
  return best;
}

// One round: every thread assigns its share of the points and adds up the new centres.
Sums assign(const std::vector<Point>& points, const std::vector<Point>& centres, std::vector<int>& owner, int threads) {
  Sums total{};
  std::mutex mutex;
  auto work = [&](int me) {
    std::size_t from = points.size() * me / threads, to = points.size() * (me + 1) / threads;
    Sums own{};
    for (std::size_t i = from; i < to; i++) {
      owner[i] = nearest(points[i], centres);
      Sum& sum = own[owner[i]];
      for (int d = 0; d < kDimensions; d++) sum.coordinates[d] += points[i][d];
      sum.count++;
    }
    std::lock_guard<std::mutex> guard(mutex);
    for (int c = 0; c < kClusters; c++) {
      for (int d = 0; d < kDimensions; d++) total[c].coordinates[d] += own[c].coordinates[d];
      total[c].count += own[c].count;
    }
  };
  std::vector<std::thread> members;
  for (int i = 0; i < threads; i++) members.emplace_back(work, i);
  for (auto& member : members) member.join();
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 160000;
  int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  int rounds = argc > 3 ? std::atoi(argv[3]) : 20;
  if (count < kClusters || threads < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: kmeans [POINTS >= %d] [THREADS] [ROUNDS]\n", kClusters);
    return 2;
  }

  std::vector<Point> points = make_points(count);
  std::vector<Point> centres(points.begin(), points.begin() + kClusters);
  std::vector<int> owner(count);
  for (int round = 0; round < rounds; round++) {
    Sums sums = assign(points, centres, owner, threads);
    for (int c = 0; c < kClusters; c++) {
      if (sums[c].count == 0) continue;
      for (int d = 0; d < kDimensions; d++) {
        centres[c][d] = static_cast<std::int32_t>(sums[c].coordinates[d] / sums[c].count);
      }
    }
  }

  std::uint64_t checksum = 1469598103934665603ull;
  auto mix = [&](std::uint64_t value) { checksum = (checksum ^ value) * 1099511628211ull; };
  for (int own : owner) mix(static_cast<std::uint64_t>(own));
  for (const Point& centre : centres) {
    for (auto x : centre) mix(static_cast<std::uint32_t>(x));
  }
  std::printf("kmeans %zu points %d rounds checksum %016llx\n", count, rounds,
              static_cast<unsigned long long>(checksum));
  return 0;
}
