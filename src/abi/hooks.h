/* SPDX-License-Identifier: Apache-2.0
 *
 * The hooks: what instrumented code calls. The pass inserts calls by these
 * names, the runtime defines them; a load hook returns the value, a store hook
 * takes it. `site` is the number of the instruction, `order` a HeddleOrder with
 * HEDDLE_VOLATILE_ACCESS added where the access is volatile.
 */
#ifndef HEDDLE_ABI_HOOKS_H
#define HEDDLE_ABI_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"

#define HEDDLE_VOLATILE_ACCESS 0x100u

#ifdef __cplusplus
extern "C" {
#endif

/* Plain and atomic accesses of 1, 2, 4 and 8 bytes. */
uint8_t __heddle_load1(const void* address, uint32_t order, uint32_t site);
uint16_t __heddle_load2(const void* address, uint32_t order, uint32_t site);
uint32_t __heddle_load4(const void* address, uint32_t order, uint32_t site);
uint64_t __heddle_load8(const void* address, uint32_t order, uint32_t site);
void __heddle_store1(void* address, uint8_t value, uint32_t order, uint32_t site);
void __heddle_store2(void* address, uint16_t value, uint32_t order, uint32_t site);
void __heddle_store4(void* address, uint32_t value, uint32_t order, uint32_t site);
void __heddle_store8(void* address, uint64_t value, uint32_t order, uint32_t site);

/* Read-modify-write; `operation` is a HeddleRmw. Return the old value. */
uint64_t __heddle_rmw(void* address, uint64_t operand, uint32_t size, uint32_t operation, uint32_t order,
                      uint32_t site);
/* Compare and exchange; returns the old value, equal to `expected` if exchanged. */
uint64_t __heddle_cas(void* address, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success_order,
                      uint32_t failure_order, uint32_t site);
void __heddle_fence(uint32_t order, uint32_t site);

/* 16-byte atomics, through memory. */
void __heddle_load16(const void* address, void* result, uint32_t order, uint32_t site);
void __heddle_store16(void* address, const void* value, uint32_t order, uint32_t site);
void __heddle_rmw16(void* address, const void* operand, void* old, uint32_t operation, uint32_t order, uint32_t site);
void __heddle_cas16(void* address, const void* expected, const void* desired, void* old, uint32_t success_order,
                    uint32_t failure_order, uint32_t site);

/* Ranges: sequences of accesses of at most 8 aligned bytes. The private side of
 * a copy is not an access. */
void __heddle_read(const void* address, void* private_copy, size_t size, uint32_t site);
void __heddle_write(void* address, const void* private_copy, size_t size, uint32_t site);
void __heddle_memcpy(void* to, const void* from, size_t size, uint32_t site);
void __heddle_memmove(void* to, const void* from, size_t size, uint32_t site);
void __heddle_memset(void* to, int value, size_t size, uint32_t site);

/* Heap; `allocator` is a HeddleAllocator. With `throws`, std::bad_alloc instead
 * of null. Fresh memory is zero. */
void* __heddle_allocate(size_t size, size_t alignment, uint32_t allocator, uint32_t throws, uint32_t site);
void* __heddle_reallocate(void* block, size_t size, uint32_t site);
void __heddle_release(void* block, uint32_t allocator, uint32_t site);
int __heddle_posix_memalign(void** result, size_t alignment, size_t size, uint32_t site);

/* An escaping local variable came to life, and its function returned. */
void __heddle_stack_object(const void* address, size_t size, uint32_t site);
void __heddle_stack_object_end(const void* address, size_t size, uint32_t site);

/* Before code that touches the program's memory behind the hooks' back and is no
 * operation: no store to these bytes may be left in the thread's store buffer. */
void __heddle_settle(const void* address, size_t size);
/* The same for the thread's stack, before a part of it dies unannounced: an
 * exception, longjmp, a variable-length array. */
void __heddle_settle_stack(void);

/* Set before a call into the runtime's models (pthread_..., heddle_...) so that
 * events know their place. */
void __heddle_place(uint32_t site);
/* Before a system call whose result the program looks at. */
void __heddle_learns_result(void);

/* Before a system call that may block: the runtime's own definition of it records
 * it, or, in a free run, this does. */
void __heddle_system_call(uint32_t site);

/* Before a call of code without bitcode; `function` is its name. After it,
 * where the effects of the function are not known. */
void __heddle_extern_begin(const char* function, uint32_t site);
void __heddle_extern_end(const char* function, uint32_t site);
/* What such a function is known to read (told before the call) and to have
 * written (told after it). */
void __heddle_range_read(const void* address, size_t size, uint32_t site);
void __heddle_range_written(const void* address, size_t size, uint32_t site);
void __heddle_string_read(const char* text, uint32_t site);
void __heddle_string_written(const char* text, uint32_t site);
/* Around an indirect call; `outside` is what begin returned. */
uint32_t __heddle_indirect_begin(const void* callee, uint32_t site);
void __heddle_indirect_end(uint32_t outside, uint32_t site);

/* Recorded on request. `calling` stands before a call of a function of the
 * program: what function_enter records next says so, in value2. */
void __heddle_calling(uint32_t site);
void __heddle_function_enter(const void* function, uint32_t site);
void __heddle_function_exit(uint32_t site);
void __heddle_branch(uint32_t successor, uint32_t site);
void __heddle_local_value(uint64_t value, uint32_t size, uint32_t site);

/* Defined by the pass in the program's module. */
extern int __heddle_program_main(int argc, char** argv, char** environment);
extern void __heddle_program_constructors(int argc, char** argv, char** environment);
extern void __heddle_program_destructors(void);
extern const uint32_t __heddle_program_version;       /* HEDDLE_INSTRUMENTATION_VERSION */
extern const uint32_t __heddle_program_calls_unknown; /* nonzero: calls functions whose effects are not known */
/* The generated main calls this with its own arguments. */
int __heddle_runtime_main(int argc, char** argv, char** environment);

#ifdef __cplusplus
}
#endif

typedef enum HeddleRmw {
  HEDDLE_RMW_EXCHANGE = 0,
  HEDDLE_RMW_ADD = 1,
  HEDDLE_RMW_SUB = 2,
  HEDDLE_RMW_AND = 3,
  HEDDLE_RMW_NAND = 4,
  HEDDLE_RMW_OR = 5,
  HEDDLE_RMW_XOR = 6,
  HEDDLE_RMW_MAX = 7,
  HEDDLE_RMW_MIN = 8,
  HEDDLE_RMW_UMAX = 9,
  HEDDLE_RMW_UMIN = 10,
  HEDDLE_RMW_FADD = 11,
  HEDDLE_RMW_FSUB = 12,
  HEDDLE_RMW_FMAX = 13,
  HEDDLE_RMW_FMIN = 14,
} HeddleRmw;

#endif
