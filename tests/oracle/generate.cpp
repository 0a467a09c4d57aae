// SPDX-License-Identifier: Apache-2.0
//
// The whole program: what it may use, who creates whom, how many operations each
// thread gets. thread_maker.cpp makes the operations.
#include "oracle/generate.h"

#include <algorithm>

#include "oracle/operations.h"
#include "oracle/random_numbers.h"
#include "oracle/thread_maker.h"

namespace heddle::oracle {
namespace {

Features draw_features(RandomNumbers& random) {
  Features features = {};
  features.variables = random.one_of({1, 2, 2, 2, 2, 3});
  features.mixed_sizes = random.chance(25);
  for (int& size : features.sizes) size = random.one_of({1, 2, 4, 4, 4, 8});
  features.atomic = random.one_of({0, 0, 50, 80, 100});
  features.updates = random.chance(40);
  features.fences = random.chance(30);
  features.mutexes = random.chance(40);
  features.reader_writer = random.chance(15);
  features.semaphores = random.chance(20);
  features.conditions = random.chance(20);
  features.barrier = random.chance(15);
  features.branches = random.chance(50);
  features.assertions = random.chance(40);
  features.nested_threads = random.chance(20);
  features.kept_locks = random.chance(20) ? 25 : 0;
  features.final_loads = random.chance(40);
  // Synchronisation drains store buffers: many programs do without, so that these show.
  if (random.chance(40))
    features.updates = features.mutexes = features.reader_writer = features.semaphores = features.conditions =
        features.barrier = false;
  return features;
}

int barrier_users(const Program& program) {
  int users = 0;
  for (const Thread& thread : program.threads)
    users += std::any_of(thread.operations.begin(), thread.operations.end(),
                         [](const Operation& operation) { return operation.kind == OperationKind::kBarrier; });
  return users;
}

// Some of the threads run the body of the first one.
void make_twins(Program& program, RandomNumbers& random) {
  program.has_twins = true;
  for (size_t thread = 2; thread < program.threads.size(); ++thread) {
    if (!random.chance(75)) continue;
    program.threads[thread].operations = program.threads[1].operations;
    program.threads[thread].like = 1;
    for (Operation& operation : program.threads[0].operations)
      if (operation.kind == OperationKind::kCreate && operation.object == static_cast<int>(thread))
        operation.function = 1;
  }
}

}  // namespace

Size size_for(int operations) {
  if (operations <= 6) return {operations, 3, operations};
  if (operations <= 12) return {operations, 4, operations};
  return {operations, 4, 6};
}

Program generate(uint64_t seed, const Size& size) {
  RandomNumbers random(seed);
  Features features = draw_features(random);
  if (size.twins) {
    features.nested_threads = false;
    features.final_loads = true;
    features.conditions &= random.chance(30);
    features.barrier &= random.chance(30);
  }
  int blocks = 0;
  if (size.pointers) {
    features.pointers = true;
    features.linked = random.chance(30);
    features.blocks = &blocks;
    features.updates = random.chance(60);
    features.conditions = random.chance(60);
    features.mixed_sizes = false;
    features.variables = std::min(features.variables, 2);
  }
  const int workers = std::min(random.between(2, size.threads), random.between(2, size.threads));
  const int most = size.operations - (features.final_loads ? features.variables : 0);
  const int least = std::min(workers, most);
  int budget = std::max(random.between(least, most), random.between(least, most));
  budget = std::min(budget, workers * size.per_thread);

  // How many operations each thread gets; main only sometimes has any.
  std::vector<int> share(static_cast<size_t>(workers) + 1, 0);
  const int first = random.chance(25) ? 0 : 1;
  for (int next = 1; budget > 0; ++next) {
    const auto thread = static_cast<size_t>(next <= workers ? next : random.between(first, workers));
    if (share[thread] == size.per_thread) continue;
    ++share[thread];
    --budget;
  }

  // Who creates whom: main, or an earlier worker.
  std::vector<size_t> creator(share.size(), 0);
  for (size_t worker = 2; worker < share.size(); ++worker)
    if (features.nested_threads && random.chance(50))
      creator[worker] = 1 + static_cast<size_t>(random.below(static_cast<int>(worker) - 1));

  // Who is created only if its creator has read the right thing, and joined there.
  std::vector<bool> comes_perhaps(share.size(), false);
  for (size_t worker = 2; worker < share.size(); ++worker)
    comes_perhaps[worker] = size.pointers && (random.chance(40) || comes_perhaps[creator[worker]]);

  Program program;
  program.has_pointers = size.pointers;
  for (size_t thread = 0; thread < share.size(); ++thread) {
    ThreadMaker maker(random, features, thread == 0);
    int left = share[thread];
    for (size_t child = thread + 1; child < share.size(); ++child) {
      if (creator[child] != thread) continue;
      const int before = random.below(left + 1);
      maker.block(before);
      left -= before;
      if (comes_perhaps[child]) {
        maker.create_perhaps(static_cast<int>(child));
      } else {
        maker.append(create(static_cast<int>(child)));
      }
    }
    maker.block(left);
    if (thread == 0) {
      for (size_t child = 1; child < share.size(); ++child)
        if (!comes_perhaps[child]) maker.append(join(static_cast<int>(child)));
      if (features.final_loads) maker.load_all();
    }
    program.threads.push_back({maker.take(), 0});
  }
  if (size.twins) make_twins(program, random);
  for (int& value : program.semaphore_values) value = random.below(2);
  const int users = barrier_users(program);
  for (int& count : program.barrier_counts) count = users ? users + random.chance(10) : 0;
  number_operations(program);
  return program;
}

}  // namespace heddle::oracle
