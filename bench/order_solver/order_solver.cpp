// SPDX-License-Identifier: Apache-2.0
//
// What an order problem costs, with Heddle's solver and with Z3: problems made
// from random traces, as the analyses ask them. CPU time per problem, median of
// rounds interleaved between the solvers, and the share that needed no search.
//
//   order_solver              the table for docs/performance.md; 1 if a goal is missed
//   order_solver EVENTS N     only Heddle's solver, N times each problem of that size, for profilers
//
// Another value: all reads as observed but one, which is to find another value.
// Which order: all reads as observed, but nothing tells in which order they were.
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

enum class Question : uint8_t { kOtherValue, kWhichOrder };

struct Size {
  Question question;
  uint32_t events, threads, places, private_percent, problems, rounds;
  uint32_t z3_problems;  // of these, as Z3 is slower
  double limit;          // microseconds for Heddle's solver; 0: shown only
};

constexpr Size kSizes[] = {
    {Question::kOtherValue, 20, 2, 3, 0, 400, 9, 40, 0},   {Question::kOtherValue, 40, 3, 4, 0, 400, 9, 20, 10},
    {Question::kOtherValue, 100, 4, 8, 0, 200, 9, 8, 0},   {Question::kOtherValue, 1000, 8, 40, 0, 20, 7, 1, 0},
    {Question::kOtherValue, 5000, 8, 150, 50, 4, 3, 0, 0}, {Question::kWhichOrder, 40, 3, 4, 0, 400, 9, 20, 0},
    {Question::kWhichOrder, 100, 4, 8, 0, 200, 7, 8, 0},   {Question::kWhichOrder, 1000, 8, 40, 50, 10, 5, 0, 0},
    {Question::kWhichOrder, 5000, 8, 150, 50, 3, 3, 0, 0},
};

std::vector<OrderProblem> problems_of(const Size& size) {
  const bool other_value = size.question == Question::kOtherValue;
  std::vector<OrderProblem> problems;
  for (uint64_t seed = 0; problems.size() < size.problems; ++seed) {
    TraceShape shape;
    // A question for another value leaves out what comes long after its read: about a fifth of the events.
    shape.events = other_value ? size.events * 5 / 4 : size.events;
    shape.threads = size.threads;
    shape.places = size.places;
    shape.private_percent = size.private_percent;
    shape.values = 4;
    shape.locks = 2;
    shape.store_buffers = seed % 2 == 1;
    RandomTrace trace(shape, seed);
    std::optional<OrderProblem> problem = other_value ? trace.query() : trace.forgotten();
    const auto percent = problem ? problem->events * 100 / size.events : 0;
    if (percent >= 80 && percent <= 120) problems.push_back(std::move(*problem));
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
  fmt::print("| {} | {} | {} | {:.0f} % | {:.1f} % | {:.1f} µs | {} | {} |\n",
             size.question == Question::kOtherValue ? "another value" : "which order", size.events, problems.size(),
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
      "| question | events | problems | have an order | without search | Heddle | goal | Z3 "
      "|\n|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (const Size& size : kSizes) good &= report(size);
  return good ? 0 : 1;
}
