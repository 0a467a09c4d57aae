// SPDX-License-Identifier: Apache-2.0
//
// The part of a thread that has to do with pointers. All threads share one
// pointer; a thread puts a block there, looks at the block that it finds there,
// or takes it away and releases it. Now and then somebody forgets to ask
// whether there is a block at all, or goes on using one that is gone.
#include <algorithm>

#include "oracle/operations.h"
#include "oracle/thread_maker.h"

namespace heddle::oracle {
namespace {

constexpr int kFirstPointer = 3;       // registers below are for numbers
constexpr int kSharedPointer = 3 * 8;  // behind all variables

}  // namespace

Operation ThreadMaker::on_pointer(Operation operation) {
  operation.offset = kSharedPointer;
  operation.size = 8;
  if (operation.order == MemoryOrder::kNotAtomic && atomic())
    operation.order = operation.kind == OperationKind::kLoad
                          ? random_.one_of({MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kSequential})
                          : random_.one_of({MemoryOrder::kRelaxed, MemoryOrder::kRelease, MemoryOrder::kSequential});
  return operation;
}

int ThreadMaker::draw_pointer() {
  const int chosen = random_.below(std::min(pointers_ + 1, kMaximumRegisters - kFirstPointer));
  pointers_ = std::max(pointers_, chosen + 1);
  return kFirstPointer + chosen;
}

int ThreadMaker::use_pointers(int budget) {
  const bool may_allocate = *features_.blocks < kMaximumBlocks;
  // Main does nothing that might fail, as it makes no assertions.
  switch (random_.weighted({may_allocate ? 40 : 0, is_main_ ? 0 : 35, is_main_ ? 0 : 25})) {
    case 0: return publish(budget, ++*features_.blocks);
    case 1: return find_and_use(budget);
    default: return take_and_release(budget);
  }
}

// Allocates a block and lets others have it: by a store, by a compare-exchange with what was there, or by an exchange.
int ThreadMaker::publish(int budget, int block) {
  const int pointer = draw_pointer();
  append(allocate(pointer, block));
  int used = 1;
  if (budget > 2 && random_.chance(60)) used += use_block(pointer);
  Operation publishing = on_pointer(store_sum(0, pointer, 0));
  if (budget > used + 1 && features_.updates && random_.chance(50)) {
    const int before = draw_pointer();
    if (before != pointer) {
      append(on_pointer(load(before, 0)));
      ++used;
      publishing = on_pointer(compare_exchange(before, 0, 0, 0));
      publishing.compared = before;
      publishing.source = pointer;
    }
  }
  return used + single(publishing);
}

int ThreadMaker::find_and_use(int budget) {
  const int pointer = draw_pointer();
  append(on_pointer(load(pointer, 0)));
  const bool asks = random_.chance(80);
  const size_t begin = operations_.size();
  if (asks) append(branch(pointer, 0, 0, false));
  int used = 1;
  for (int more = random_.between(1, std::min(budget - 1, 2)); more > 0; --more) used += use_block(pointer);
  if (asks) operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
  return used;
}

int ThreadMaker::take_and_release(int budget) {
  const int pointer = draw_pointer();
  const bool at_once = random_.chance(70);  // or two threads may take the same block
  append(on_pointer(at_once ? exchange(pointer, 0, 0) : load(pointer, 0)));
  int used = 1;
  if (budget > 2 && !at_once && random_.chance(60)) used += single(on_pointer(store(0, 0)));
  append(oracle::release(pointer));
  ++used;
  if (used < budget && random_.chance(15)) used += use_block(pointer);
  return used;
}

int ThreadMaker::use_block(int pointer) {
  if (features_.linked) {
    if (pointers_ && random_.chance(50)) {
      const int other = kFirstPointer + random_.below(pointers_);
      return single(through(pointer, store_sum(0, other, 0)));
    }
    return single(through(pointer, load(draw_pointer(), 0)));
  }
  if (random_.chance(50)) return learning(through(pointer, load(target(), 0)));
  return single(through(pointer, store(0, static_cast<uint64_t>(random_.between(1, 2)))));
}

void ThreadMaker::create_perhaps(int thread) {
  const size_t begin = operations_.size();
  const bool asks = learned_ > 0 && random_.chance(70);
  if (asks) append(branch(random_.below(learned_), static_cast<uint64_t>(random_.below(2)), 0, random_.chance(60)));
  append(create(thread));
  if (random_.chance(50)) access();
  append(join(thread));
  if (asks) operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
}

}  // namespace heddle::oracle
