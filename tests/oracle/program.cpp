// SPDX-License-Identifier: Apache-2.0
#include "oracle/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace heddle::oracle {

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::kConsume || order == MemoryOrder::kAcquire || order == MemoryOrder::kAcquireRelease ||
         order == MemoryOrder::kSequential;
}

bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease || order == MemoryOrder::kSequential;
}

bool is_access(OperationKind kind) { return kind <= OperationKind::kCompareExchange; }
bool is_control(OperationKind kind) { return kind >= OperationKind::kBranch; }

bool writes(const Operation& operation) { return is_access(operation.kind) && operation.kind != OperationKind::kLoad; }

bool overlap(const Operation& one, const Operation& other) {
  return one.offset < other.offset + other.size && other.offset < one.offset + one.size;
}

void number_operations(Program& program) {
  int number = 0;
  for (Thread& thread : program.threads) {
    int highest = kNoRegister;
    for (Operation& operation : thread.operations) {
      operation.number = number++;
      highest = std::max({highest, operation.target, operation.source, operation.base, operation.compared});
    }
    HEDDLE_CHECK(highest < kMaximumRegisters, "a thread has no more registers than that");
    thread.registers = highest + 1;
  }
  HEDDLE_CHECK(program.threads.size() <= kMaximumThreads, "a program has no more threads than that");
}

const Operation& operation_with_number(const Program& program, int number) {
  for (const Thread& thread : program.threads) {
    const int first = thread.operations.empty() ? number + 1 : thread.operations.front().number;
    const int count = static_cast<int>(thread.operations.size());
    if (number >= first && number < first + count) return thread.operations[static_cast<size_t>(number - first)];
  }
  HEDDLE_CHECK(false, "the program has an operation of this number");
  return program.threads[0].operations[0];
}

int visible_operations(const Program& program) {
  int count = 0;
  for (const Thread& thread : program.threads)
    for (const Operation& operation : thread.operations)
      count += !is_control(operation.kind) && operation.kind != OperationKind::kCreate &&
               operation.kind != OperationKind::kJoin;
  return count;
}

namespace {

const char* name_of(MemoryOrder order) {
  static constexpr const char* kNames[] = {"plain", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<int>(order)];
}

const char* name_of(OperationKind kind) {
  static constexpr const char* kNames[] = {
      "load",    "store",  "add",    "exchange",  "compare_exchange", "fence",     "lock",     "unlock",
      "trylock", "rdlock", "wrlock", "rwunlock",  "tryrdlock",        "trywrlock", "sem_wait", "sem_post",
      "sem_try", "wait",   "signal", "broadcast", "barrier",          "create",    "join",     "allocate",
      "release", "if",     "assert"};
  return kNames[static_cast<int>(kind)];
}

std::string amount(const Operation& operation) {
  if (operation.source == kNoRegister) return fmt::format("{:#x}", operation.value);
  return fmt::format("r{} + {:#x}", operation.source, operation.value);
}

}  // namespace

std::string to_text(const Operation& operation) {
  const std::string result = operation.target == kNoRegister ? "" : fmt::format("r{} = ", operation.target);
  const std::string place = operation.base == kNoRegister ? fmt::format("[{}:{}]", operation.offset, operation.size)
                                                          : fmt::format("[*r{}]", operation.base);
  switch (operation.kind) {
    case OperationKind::kLoad: return fmt::format("{}{} {}", result, place, name_of(operation.order));
    case OperationKind::kStore: return fmt::format("{} = {} {}", place, amount(operation), name_of(operation.order));
    case OperationKind::kAdd:
    case OperationKind::kExchange:
      return fmt::format("{}{} {} {} {}", result, name_of(operation.kind), place, amount(operation),
                         name_of(operation.order));
    case OperationKind::kCompareExchange:
      return fmt::format("{}compare_exchange {} {}{:#x} -> {} {} {}", result, place,
                         operation.compared == kNoRegister ? "" : fmt::format("r{} + ", operation.compared),
                         operation.expected, amount(operation), name_of(operation.order),
                         name_of(operation.failure_order));
    case OperationKind::kFence: return fmt::format("fence {}", name_of(operation.order));
    case OperationKind::kBranch:
      return fmt::format("if (r{} {} {:#x}) the next {}", operation.source,
                         operation.equal ? "==" : "!=", operation.expected, operation.skip);
    case OperationKind::kAssert: return fmt::format("assert r{} != {:#x}", operation.source, operation.expected);
    case OperationKind::kRelease: return fmt::format("release r{}", operation.source);
    case OperationKind::kConditionWait: return fmt::format("wait {} with mutex {}", operation.object, operation.mutex);
    default: return fmt::format("{}{} {}", result, name_of(operation.kind), operation.object);
  }
}

std::string to_text(const Program& program) {
  std::string text = fmt::format("semaphores {} {}, barrier of {}\n", program.semaphore_values[0],
                                 program.semaphore_values[1], program.barrier_counts[0]);
  for (size_t thread = 0; thread < program.threads.size(); ++thread) {
    text += fmt::format("T{}:\n", thread);
    for (const Operation& operation : program.threads[thread].operations)
      text += fmt::format("  #{:<3} {}\n", operation.number, to_text(operation));
  }
  return text;
}

}  // namespace heddle::oracle
