// SPDX-License-Identifier: Apache-2.0
//
// Prices of swaptions by simulation: 4 swaptions, one thread each, 20 trials.
//
// A swaption is the right to enter a swap of interest rates later. Forward rates
// follow the model of Heath, Jarrow and Morton with three factors: a trial draws
// normal numbers, moves the curve of forward rates through time, and discounts
// what the swap is then worth. The price is the mean over all trials.
//
// Race free: each thread has its own generator, paths and result.
#include <math.h>

#include "fault.h"

enum { kWorkers = 4, kSteps = 13, kFactors = 3 };

struct Swaption {
  double years;          // covered by the curve
  double strike;         // the fixed rate
  double forward[kSteps];
  double volatility[kFactors][kSteps];
  int start;             // step at which the swap begins
  int payments;          // one a step from then on
};

struct Header {
  int swaptions;
  int trials;
};

struct Price {
  double mean;
  double error;
};

struct Work {
  const struct Swaption *swaptions;
  struct Price *prices;
  int from;
  int to;
  int trials;
};

// A value between 0 and 1, exclusive: a multiplicative generator modulo 2^31 - 1.
static double uniform(long long *state) {
  *state = *state * 16807 % 2147483647;
  return *state / 2147483647.0;
}

// Which value a standard normal variable is below with this probability. Rational approximation, right to three digits.
static double normal_quantile(double probability) {
  double tail = probability < 0.5 ? probability : 1.0 - probability;
  double t = sqrt(-2.0 * log(tail));
  double above = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return probability < 0.5 ? -above : above;
}

// What keeps the model free of arbitrage: the drift of each point of the curve.
static void find_drifts(const struct Swaption *swaption, double *drifts, double step) {
  for (int point = 0; point < kSteps; point++) {
    double drift = 0;
    for (int factor = 0; factor < kFactors; factor++) {
      double sum = 0;
      for (int i = 0; i <= point; i++) sum += swaption->volatility[factor][i] * step;
      drift += swaption->volatility[factor][point] * sum;
    }
    drifts[point] = drift;
  }
}

// path[s * kSteps + i]: at step s, the forward rate for step s + i.
static void simulate(const struct Swaption *swaption, const double *drifts, double *path, double step, long long *state) {
  double root = sqrt(step);
  for (int i = 0; i < kSteps; i++) path[i] = swaption->forward[i];
  for (int s = 1; s < kSteps; s++) {
    double shocks[kFactors];
    for (int factor = 0; factor < kFactors; factor++) shocks[factor] = normal_quantile(uniform(state));
    for (int i = 0; i < kSteps - s; i++) {
      double shock = 0;
      for (int factor = 0; factor < kFactors; factor++) shock += swaption->volatility[factor][i] * shocks[factor];
      path[s * kSteps + i] = path[(s - 1) * kSteps + i + 1] + drifts[i] * step + root * shock;
    }
  }
}

// What the right is worth today on this path.
static double payoff(const struct Swaption *swaption, const double *path, double step) {
  double bond = 1.0, fixed = 0.0;
  for (int i = 0; i < swaption->payments; i++) {
    bond *= exp(-path[swaption->start * kSteps + i] * step);
    fixed += swaption->strike * step * bond;
  }
  double swap = fixed + bond - 1.0;
  if (swap < 0) return 0;
  double discount = 0;
  for (int s = 0; s < swaption->start; s++) discount += path[s * kSteps] * step;
  return swap * exp(-discount);
}

static struct Price price(const struct Swaption *swaption, int trials, long long seed) {
  double step = swaption->years / kSteps;
  double *drifts = allocate(sizeof(double) * kSteps);
  double *path = allocate_zeroed(kSteps * kSteps, sizeof(double));
  find_drifts(swaption, drifts, step);
  double sum = 0, squares = 0;
  for (int trial = 0; trial < trials; trial++) {
    simulate(swaption, drifts, path, step, &seed);
    double value = payoff(swaption, path, step);
    sum += value;
    squares += value * value;
  }
  free(path);
  free(drifts);
  double mean = sum / trials;
  return (struct Price){mean, sqrt(fabs(squares / trials - mean * mean) / trials)};
}

static void *price_swaptions(void *argument) {
  struct Work *work = argument;
  for (int i = work->from; i < work->to; i++) work->prices[i] = price(&work->swaptions[i], work->trials, 1979 + i);
  return NULL;
}

int main(int argc, char **argv) {
  struct Header header;
  FILE *file = open_input(argc, argv);
  read_into(file, &header, sizeof header, 1);
  struct Swaption *swaptions = allocate(sizeof(struct Swaption) * header.swaptions);
  read_into(file, swaptions, sizeof(struct Swaption), header.swaptions);
  fclose(file);
  struct Price *prices = allocate_zeroed(header.swaptions, sizeof(struct Price));
  pthread_t threads[kWorkers];
  struct Work *works = allocate_zeroed(kWorkers, sizeof(struct Work));
  for (int i = 0; i < kWorkers; i++) {
    works[i].swaptions = swaptions;
    works[i].prices = prices;
    works[i].from = header.swaptions * i / kWorkers;
    works[i].to = header.swaptions * (i + 1) / kWorkers;
    works[i].trials = header.trials;
    start_thread(&threads[i], price_swaptions, &works[i]);
  }
  for (int i = 0; i < kWorkers; i++) join_thread(threads[i]);
  write_result(argc, argv, prices, sizeof(struct Price), header.swaptions);
  free(works);
  free(prices);
  free(swaptions);
  return 0;
}
