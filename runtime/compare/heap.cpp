// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export.h"
#include "lane.h"
#include "memory_layout.h"

namespace heddle::compare {
namespace {

constexpr uint64_t kLargeBlock = 64 << 10;    // gives its pages back when freed
constexpr uint32_t kBlocksOfLane = 1u << 16;  // kept per lane for naming; later ones are compared as plain numbers

// Before each block.
struct Header {
  uint64_t size;
  uint64_t seal;  // kAlive or kFreed, changed by the address
};
constexpr uint64_t kAlive = 0x6b8f1d3a92c4e705u, kFreed = 0x1c9e70d5a4b3826fu;

struct Heap {
  uint64_t next = 0;
  uint64_t end = 0;
};

// Blocks of one lane in the order of their addresses.
struct Blocks {
  uint32_t count;
  struct {
    uint64_t address, size;
  } at[kBlocksOfLane];
};

thread_local Heap program_heap, library_heap_of_thread;
thread_local Blocks* blocks;  // of the calling thread's lane
Blocks* blocks_of_lane[HEDDLE_MOST_LANES];

// Before there are lanes: the loader, constructors of libraries, the server.
Heap early;

bool in_a_lane() { return channel && lane.number != HEDDLE_NO_LANE; }

Heap& heap_for(bool for_program) {
  if (!in_a_lane()) {
    if (early.next == 0) {
      void* memory = mmap(reinterpret_cast<void*>(kFirstLane - kLaneBytes), kLaneBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
      if (memory == MAP_FAILED) _exit(70);
      early.next = reinterpret_cast<uint64_t>(memory);
      early.end = early.next + kLaneBytes;
    }
    return early;
  }
  Heap& heap = for_program ? program_heap : library_heap_of_thread;
  if (heap.next == 0) {
    heap.next = for_program ? lane_address(lane.number) : library_heap(lane.number);
    heap.end = heap.next + (for_program ? kProgramHeapBytes : kLibraryHeapBytes);
  }
  return heap;
}

// Blocks of the fault-free run, sorted by lane and number: where each lane's begin.
uint32_t first_known[HEDDLE_MOST_LANES + 1];

bool lies_as_known(uint32_t number, uint64_t address, uint64_t size) {
  if (lane.number >= channel->known_lanes) return true;
  const uint32_t at = first_known[lane.number] + number;
  if (at >= first_known[lane.number + 1]) return true;  // one more than there were
  return channel->block[at].address == address && channel->block[at].size == size;
}

// Only this thread looks at each word from now on: others find out when they meet an
// address that differs.
void blocks_have_moved() {
  channel->moved = 1;
  become_careful(static_cast<uint64_t>(__heddle_cursor - lane.stream));
}

// A block got its address: is it where it was in the fault-free run?
void note_block(uint64_t address, uint64_t size) {
  const uint32_t number = lane.blocks++;
  if (!blocks) {
    void* memory =
        mmap(nullptr, sizeof(Blocks), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) refuse("no memory for the table of blocks", strerror(errno));
    blocks = static_cast<Blocks*>(memory);
    __atomic_store_n(&blocks_of_lane[lane.number], blocks, __ATOMIC_RELEASE);
  }
  if (number < kBlocksOfLane) {
    blocks->at[number] = {address, size};
    __atomic_store_n(&blocks->count, number + 1, __ATOMIC_RELEASE);
  }
  if (!is_learning && !channel->moved && !lies_as_known(number, address, size)) blocks_have_moved();
  if (is_learning) {
    __atomic_store_n(&channel->known[lane.number].blocks, number + 1, __ATOMIC_RELAXED);
    const uint32_t entry = __atomic_fetch_add(&channel->known_blocks, 1u, __ATOMIC_SEQ_CST);
    if (entry < HEDDLE_MOST_BLOCKS_KEPT) {
      channel->block[entry] = {address, size, lane.number, number};
    } else {
      channel->overflow = 1;
    }
  }
}

void* allocate(uint64_t size, uint64_t alignment, bool for_program) {
  Heap& heap = heap_for(for_program);
  if (alignment < 16) alignment = 16;
  const uint64_t address = (heap.next + sizeof(Header) + alignment - 1) & ~(alignment - 1);
  // A byte more than asked for, so that a pointer to the end is still the block's.
  const uint64_t end = (address + size + 16) & ~uint64_t{15};
  if (size > heap.end || end > heap.end || end < address) {
    errno = ENOMEM;
    return nullptr;
  }
  heap.next = end;
  auto* header = reinterpret_cast<Header*>(address) - 1;
  header->size = size;
  header->seal = kAlive ^ address;
  if (for_program && in_a_lane()) note_block(address, size);
  return reinterpret_cast<void*>(address);
}

bool take_flag() {
  const bool for_program = __heddle_program_allocates != 0;
  __heddle_program_allocates = 0;
  return for_program;
}

Header* header_of(void* block) { return static_cast<Header*>(block) - 1; }

bool is_ours(const void* block) {
  const auto address = reinterpret_cast<uint64_t>(block);
  return address >= kFirstLane - kLaneBytes && address < lane_address(HEDDLE_MOST_LANES);
}

}  // namespace

void map_lane_memory(uint32_t number) {
  void* wanted = reinterpret_cast<void*>(lane_address(number));
  const void* memory = mmap(wanted, kLaneBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) refuse("no addresses for a thread", strerror(errno));
}

bool find_block(uint64_t address, uint32_t& block, uint64_t& offset) {
  if (address < kFirstLane || address >= lane_address(HEDDLE_MOST_LANES)) return false;
  const auto owner = static_cast<uint32_t>((address - kFirstLane) / kLaneBytes);
  const Blocks* table = __atomic_load_n(&blocks_of_lane[owner], __ATOMIC_ACQUIRE);
  if (!table || address >= library_heap(owner)) return false;
  uint32_t low = 0, high = __atomic_load_n(&table->count, __ATOMIC_ACQUIRE);
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (table->at[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return false;
  // What is left of the last 16 bytes, and the room for a header after them, is the block's.
  const uint64_t end = (table->at[low - 1].address + table->at[low - 1].size + 16) & ~uint64_t{15};
  if (address >= end) return false;
  block = owner * kBlocksOfLane + low - 1;
  offset = address - table->at[low - 1].address;
  return true;
}

bool find_known_block(uint64_t address, uint32_t& block, uint64_t& offset) {
  if (address < kFirstLane || address >= lane_address(HEDDLE_MOST_LANES)) return false;
  const auto owner = static_cast<uint32_t>((address - kFirstLane) / kLaneBytes);
  uint32_t low = first_known[owner], high = first_known[owner + 1];
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (channel->block[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == first_known[owner]) return false;
  const HeddleBlock& known = channel->block[low - 1];
  if (address >= ((known.address + known.size + 16) & ~uint64_t{15}) || known.number >= kBlocksOfLane) return false;
  block = owner * kBlocksOfLane + known.number;
  offset = address - known.address;
  return true;
}

void index_known_blocks() {
  const uint32_t count =
      channel->known_blocks < HEDDLE_MOST_BLOCKS_KEPT ? channel->known_blocks : HEDDLE_MOST_BLOCKS_KEPT;
  qsort(channel->block, count, sizeof(HeddleBlock), [](const void* left, const void* right) {
    const auto &a = *static_cast<const HeddleBlock*>(left), &b = *static_cast<const HeddleBlock*>(right);
    if (a.lane != b.lane) return a.lane < b.lane ? -1 : 1;
    return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
  });
  uint32_t at = 0;
  for (uint32_t owner = 0; owner <= HEDDLE_MOST_LANES; ++owner) {
    first_known[owner] = at;
    while (at < count && channel->block[at].lane == owner) ++at;
  }
}

}  // namespace heddle::compare

using namespace heddle::compare;

HEDDLE_EXPORT void* malloc(size_t size) { return allocate(size, 16, take_flag()); }

HEDDLE_EXPORT void* calloc(size_t count, size_t size) {
  const bool for_program = take_flag();
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocate(bytes, 16, for_program);  // fresh pages are zero
}

HEDDLE_EXPORT void free(void* block) {
  if (!block || !is_ours(block)) return;
  Header* header = header_of(block);
  // What is no block, or no longer: the C library would end the program.
  if (header->seal != (kAlive ^ reinterpret_cast<uint64_t>(block))) abort();
  header->seal = kFreed ^ reinterpret_cast<uint64_t>(block);
  if (header->size < kLargeBlock) return;
  const auto begin = (reinterpret_cast<uint64_t>(block) + 4095) & ~uint64_t{4095};
  const uint64_t end = (reinterpret_cast<uint64_t>(block) + header->size) & ~uint64_t{4095};
  if (begin < end && end - begin < kProgramHeapBytes)
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

HEDDLE_EXPORT void* realloc(void* block, size_t size) {
  const bool for_program = take_flag();
  void* moved = allocate(size, 16, for_program);
  if (!moved || !block) return moved;
  const size_t old = header_of(block)->size;
  memcpy(moved, block, old < size ? old : size);
  free(block);
  return moved;
}

HEDDLE_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t size) { return allocate(size, alignment, take_flag()); }
HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment, take_flag()); }
HEDDLE_EXPORT void* valloc(size_t size) { return allocate(size, 4096, take_flag()); }
HEDDLE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  void* block = allocate(size, alignment, take_flag());
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}
HEDDLE_EXPORT size_t malloc_usable_size(void* block) { return block ? header_of(block)->size : 0; }
