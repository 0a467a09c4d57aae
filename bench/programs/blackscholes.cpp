// SPDX-License-Identifier: Apache-2.0
//
// blackscholes [OPTIONS] [THREADS] [ROUNDS]: prices of European options by the closed formula, each
// thread a share of them, again and again.
//
// Arithmetic with hardly a branch in it, and no synchronisation but the joins.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct Option {
  double spot, strike, rate, volatility, years;
  bool is_put;
  double price;
};

// The normal distribution, by the polynomial that everybody uses.
double distribution(double x) {
  const bool negative = x < 0;
  if (negative) x = -x;
  const double k = 1 / (1 + 0.2316419 * x);
  const double tail = std::exp(-0.5 * x * x) * 0.39894228040143270286 *
                      (k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return negative ? tail : 1 - tail;
}

double price_of(const Option& option) {
  const double spread = option.volatility * std::sqrt(option.years);
  const double first = (std::log(option.spot / option.strike) + (option.rate + option.volatility * option.volatility / 2) * option.years) / spread;
  const double second = first - spread;
  const double later = option.strike * std::exp(-option.rate * option.years);
  if (option.is_put) return later * (1 - distribution(second)) - option.spot * (1 - distribution(first));
  return option.spot * distribution(first) - later * distribution(second);
}

}  // namespace

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000;
  const size_t threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 200;
  std::vector<Option> options(count);
  for (size_t i = 0; i < count; ++i)
    options[i] = {50.0 + double(i % 100), 40.0 + double(i % 77), 0.01 + 0.001 * double(i % 9), 0.1 + 0.01 * double(i % 31), 0.25 + 0.25 * double(i % 12), i % 3 == 0, 0};
  std::vector<std::thread> workers;
  for (size_t worker = 0; worker < threads; ++worker)
    workers.emplace_back([&, worker] {
      for (int round = 0; round < rounds; ++round)
        for (size_t i = worker * count / threads; i < (worker + 1) * count / threads; ++i) options[i].price = price_of(options[i]);
    });
  for (std::thread& worker : workers) worker.join();
  double sum = 0;
  for (const Option& option : options) sum += option.price;
  std::printf("%.6f\n", sum);
}
