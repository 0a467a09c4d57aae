// SPDX-License-Identifier: Apache-2.0
//
// What an order problem costs, with Heddle's solver and with Z3: problems made
// from random traces, as the analyses ask them. CPU time per problem, median of
// rounds interleaved between the solvers, and the share that needed no search.
//
//   order_solver              the table for docs/performance.md; 1 if a goal is missed
//   order_solver EVENTS N     only Heddle's solver, N times each problem of that size (for profilers)
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "solve/order_problem.h"
#include "trace_problem.h"

namespace {

using namespace heddle::solve;

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Size {
  uint32_t events, threads, places, problems, rounds;
  uint32_t z3_problems;  // of these, as Z3 is slower
  double limit;          // microseconds for Heddle's solver; 0: shown only
};

constexpr Size kSizes[] = {
    {20, 2, 3, 400, 9, 100, 0}, {40, 3, 4, 400, 9, 40, 10}, {100, 4, 8, 200, 9, 10, 0},
    {200, 4, 12, 100, 7, 5, 0}, {1000, 8, 40, 20, 7, 1, 0}, {5000, 8, 150, 4, 3, 0, 0},
};

std::vector<OrderProblem> problems_of(const Size& size) {
  std::vector<OrderProblem> problems;
  for (uint64_t seed = 0; problems.size() < size.problems; ++seed) {
    TraceShape shape;
    // A query leaves out what comes long after its read: about a fifth of the events.
    shape.events = size.events * 5 / 4;
    shape.threads = size.threads;
    shape.places = size.places;
    shape.values = 4;
    shape.locks = 2;
    shape.store_buffers = seed % 2 == 1;
    auto problem = RandomTrace(shape, seed).query();
    const bool right_size =
        problem && problem->events * 10 >= size.events * 8 && problem->events * 10 <= size.events * 12;
    if (right_size) problems.push_back(std::move(*problem));
  }
  return problems;
}

// Microseconds per problem.
double measure(OrderSolver& solver, const std::vector<OrderProblem>& problems, size_t count, uint32_t& orders) {
  orders = 0;
  const double start = cpu_seconds();
  for (size_t i = 0; i < count; ++i) orders += solver.solve(problems[i]).kind == Answer::Kind::kOrder;
  return (cpu_seconds() - start) * 1e6 / static_cast<double>(count);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool report(const Size& size) {
  const std::vector<OrderProblem> problems = problems_of(size);
  const auto native = make_native_solver(), z3 = make_z3_solver();
  std::vector<double> native_times, z3_times;
  uint32_t orders = 0, ignored = 0;
  for (uint32_t round = 0; round < size.rounds; ++round) {
    native_times.push_back(measure(*native, problems, problems.size(), orders));
    if (size.z3_problems > 0) z3_times.push_back(measure(*z3, problems, size.z3_problems, ignored));
  }
  const Statistics& statistics = native->statistics();
  const auto percent = [](uint64_t part, uint64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const double time = median(native_times);
  const std::string z3_time = z3_times.empty() ? "not measured" : fmt::format("{:.0f} µs", median(z3_times));
  fmt::print("| {} | {} | {:.0f} % | {:.1f} % | {:.1f} µs | {} | {} |\n", size.events, problems.size(),
             percent(orders, problems.size()), percent(statistics.decided_without_search, statistics.queries), time,
             size.limit > 0 ? fmt::format("at most {:.0f} µs", size.limit) : "", z3_time);
  std::fflush(stdout);
  return size.limit == 0 || time <= size.limit;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3) {
    const auto events = static_cast<uint32_t>(std::atoi(arguments[1]));
    const auto size =
        std::find_if(std::begin(kSizes), std::end(kSizes), [&](const Size& s) { return s.events == events; });
    if (size == std::end(kSizes)) return 2;
    const std::vector<OrderProblem> problems = problems_of(*size);
    const auto solver = make_native_solver();
    uint32_t orders = 0;
    for (int i = std::atoi(arguments[2]); i > 0; --i)
      fmt::print("{:.1f} µs\n", measure(*solver, problems, problems.size(), orders));
    return 0;
  }
  fmt::print(
      "| events | problems | have an order | without search | Heddle | goal | Z3 |\n|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (const Size& size : kSizes) good &= report(size);
  return good ? 0 : 1;
}
