// SPDX-License-Identifier: Apache-2.0
//
// Failing runs made by hand: threads of reads, writes and locks of a few places.
#pragma once

#include "reproduce/failing_run.h"

namespace heddle::reproduce {

class HandMadeRun {
 public:
  // T0 creates all others first.
  explicit HandMadeRun(uint32_t threads) {
    run.threads.resize(threads);
    for (uint32_t t = 0; t < threads; ++t) {
      if (t) run.threads[t].name = schedule::ThreadName().child(t - 1);
      if (t == 0) continue;
      Operation create = operation(HEDDLE_THREAD_CREATE);
      create.other = t;
      run.threads[0].operations.push_back(create);
      run.threads[t].operations.push_back(operation(HEDDLE_THREAD_START));
    }
  }

  solve::Term number(uint64_t value, unsigned width = 32) { return run.terms.constant(width, value); }

  solve::Term read(uint32_t thread, uint64_t address) { return read(thread, number(address, 64)); }
  solve::Term read(uint32_t thread, solve::Term address) {
    Operation load = operation(HEDDLE_LOAD);
    load.size = 4;
    load.address = address;
    load.read = run.terms.symbol(32, "r");
    run.threads[thread].operations.push_back(load);
    return load.read;
  }
  void write(uint32_t thread, uint64_t address, solve::Term value, uint8_t order = HEDDLE_ORDER_NOT_ATOMIC) {
    write(thread, number(address, 64), value, order);
  }
  void write(uint32_t thread, solve::Term address, solve::Term value, uint8_t order = HEDDLE_ORDER_NOT_ATOMIC) {
    Operation store = operation(HEDDLE_STORE);
    store.size = 4;
    store.address = address;
    store.written = value;
    store.order = order;
    run.threads[thread].operations.push_back(store);
  }
  void lock(uint32_t thread, uint64_t mutex) { synchronise(thread, HEDDLE_MUTEX_LOCK, mutex); }
  void unlock(uint32_t thread, uint64_t mutex) { synchronise(thread, HEDDLE_MUTEX_UNLOCK, mutex); }
  void join(uint32_t thread, uint32_t other) {
    Operation join = operation(HEDDLE_THREAD_JOIN);
    join.other = other;
    run.threads[thread].operations.push_back(join);
  }
  Operation& synchronise(uint32_t thread, HeddleKind kind, uint64_t object, uint64_t mutex = 0, uint8_t flags = 0) {
    Operation added = operation(kind);
    added.flags = flags;
    added.address = number(object, 64);
    added.mutex = number(mutex, 64);
    added.amount = semantics::effect_of(added.kind) == HEDDLE_EFFECT_WAKE ? semantics::most_woken(added.kind, 1) : 0;
    run.threads[thread].operations.push_back(added);
    return run.threads[thread].operations.back();
  }
  // Waits for a word of 4 bytes that holds `expected`; another value if it fails.
  void await(uint32_t thread, uint64_t word, uint64_t expected, uint8_t flags = 0) {
    Operation& added = synchronise(thread, HEDDLE_AWAIT, word, 0, flags);
    added.size = 4;
    added.read = run.terms.symbol(32, "w");
    const solve::Term is_expected = run.terms.eq(added.read, number(expected));
    require(thread, flags & HEDDLE_FLAG_FAILED ? run.terms.complement(is_expected) : is_expected);
  }
  void require(uint32_t thread, solve::Term holds) {
    run.threads[thread].conditions.push_back({holds, static_cast<uint32_t>(run.threads[thread].operations.size()), 0});
  }

  FailingRun run;

 private:
  Operation operation(HeddleKind kind) {
    Operation result;
    result.kind = kind;
    result.address = result.mutex = number(0, 64);
    result.exchanged = run.terms.truth(true);
    return result;
  }
};

}  // namespace heddle::reproduce
