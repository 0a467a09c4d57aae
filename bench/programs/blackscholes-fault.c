// SPDX-License-Identifier: Apache-2.0
//
// Prices of European options by the closed formula of Black and Scholes: 16
// options, 3 threads with a share each, every price computed kRounds times (as
// the original does, to have something to measure).
//
// Race free: prices of different options lie apart, and main joins all threads.
#include <math.h>

#include "fault.h"

enum { kWorkers = 3, kRounds = 26 };

struct Option {
  double spot;
  double strike;
  double rate;
  double volatility;
  double years;
  int is_put;
  int unused;
};

struct Work {
  const struct Option *options;
  double *prices;
  int from;
  int to;
};

// How likely a standard normal variable is below x: a polynomial that is right to seven digits.
static double normal_below(double x) {
  int negative = x < 0;
  if (negative) x = -x;
  double density = exp(-0.5 * x * x) * 0.39894228040143270286;
  double t = 1.0 / (1.0 + 0.2316419 * x);
  double sum = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  double above = density * sum;
  return negative ? above : 1.0 - above;
}

static double price(const struct Option *option) {
  double deviation = option->volatility * sqrt(option->years);
  double drift = option->rate + 0.5 * option->volatility * option->volatility;
  double first = (log(option->spot / option->strike) + drift * option->years) / deviation;
  double second = first - deviation;
  double strike_now = option->strike * exp(-option->rate * option->years);
  double below_first = normal_below(first);
  double below_second = normal_below(second);
  if (option->is_put) return strike_now * (1.0 - below_second) - option->spot * (1.0 - below_first);
  return option->spot * below_first - strike_now * below_second;
}

static void *price_options(void *argument) {
  struct Work *work = argument;
  for (int round = 0; round < kRounds; round++) {
    for (int i = work->from; i < work->to; i++) work->prices[i] = price(&work->options[i]);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int count;
  FILE *file = open_input(argc, argv);
  read_into(file, &count, sizeof count, 1);
  struct Option *options = allocate(sizeof(struct Option) * count);
  read_into(file, options, sizeof(struct Option), count);
  fclose(file);
  double *prices = allocate_zeroed(count, sizeof(double));
  pthread_t threads[kWorkers];
  struct Work *works = allocate_zeroed(kWorkers, sizeof(struct Work));
  for (int i = 0; i < kWorkers; i++) {
    works[i] = (struct Work){options, prices, count * i / kWorkers, count * (i + 1) / kWorkers};
    start_thread(&threads[i], price_options, &works[i]);
  }
  for (int i = 0; i < kWorkers; i++) join_thread(threads[i]);
  write_result(argc, argv, prices, sizeof(double), count);
  free(works);
  free(prices);
  free(options);
  return 0;
}
