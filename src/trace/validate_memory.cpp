// SPDX-License-Identifier: Apache-2.0
//
// The rule of validate.h about memory: legal sizes, and, where there is a total
// order, loads that see the last store, and stores that reach memory as the
// memory model says. Only bytes whose last writer is in the trace are compared: memory that was never
// stored to, came fresh from the heap or the stack, or was changed by code
// without bitcode, may hold anything.
#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "abi/store_buffer.h"
#include "trace/kinds.h"
#include "trace/validate_rules.h"
#include "trace/validate_stores.h"

namespace heddle::trace {
namespace {

// What is known of memory, byte by byte.
class KnownBytes {
 public:
  void set(uint64_t address, uint8_t byte) {
    Line& line = lines_[address / kLine];
    line.bytes[address % kLine] = byte;
    line.known |= uint64_t{1} << address % kLine;
  }

  const uint8_t* find(uint64_t address) const {
    const auto line = lines_.find(address / kLine);
    if (line == lines_.end() || !(line->second.known >> address % kLine & 1)) return nullptr;
    return &line->second.bytes[address % kLine];
  }

  void forget(uint64_t address, uint64_t size) {
    if (size == 0) return;
    const uint64_t last = address + size - 1 < address ? UINT64_MAX : address + size - 1;
    const uint64_t first_line = address / kLine, last_line = last / kLine;
    if (last_line - first_line < lines_.size()) {
      for (uint64_t line = first_line; line <= last_line; ++line) forget_in(lines_.find(line), address, last);
      return;
    }
    for (auto line = lines_.begin(); line != lines_.end();) {
      const auto next = std::next(line);
      if (line->first >= first_line && line->first <= last_line) forget_in(line, address, last);
      line = next;
    }
  }

 private:
  static constexpr uint64_t kLine = 64;
  struct Line {
    uint8_t bytes[kLine] = {};
    uint64_t known = 0;  // one bit per byte
  };
  using Lines = std::unordered_map<uint64_t, Line>;

  void forget_in(Lines::iterator line, uint64_t first, uint64_t last) {
    if (line == lines_.end()) return;
    const uint64_t begin = line->first * kLine;
    for (uint64_t i = 0; i < kLine; ++i) {
      if (begin + i >= first && begin + i <= last) line->second.known &= ~(uint64_t{1} << i);
    }
    if (line->second.known == 0) lines_.erase(line);
  }

  Lines lines_;
};

class MemoryRule final : public Rule {
 public:
  explicit MemoryRule(const Trace& trace) {
    if (trace.header.mode != Mode::kControlled) return;
    const bool by_location = trace.header.memory_model == "pso";
    if (by_location || trace.header.memory_model == "tso") buffers_.emplace(trace.threads.size(), by_location);
    follow_values_ = buffers_ || trace.header.memory_model == "sc";
  }
  const char* name() const override { return "memory"; }
  bool wants_total_order() const override { return false; }

  std::string take(const Event& event) override {
    const HeddleRecord& record = event.record;
    const bool access = read_memory(record) || wrote_memory(record);
    if (access && !legal_size(record)) return fmt::format("size {} is not that of an access", record.size);
    if (!follow_values_) return {};
    if (record.kind == HEDDLE_FLUSH) return flush(record);
    if (buffers_ && is_visible(record)) {
      if (std::string problem = buffers_->take(record); !problem.empty()) return problem;
      if (heddle_is_buffered(record.kind, record.order, record.flags)) return {};
      if (record.kind == HEDDLE_LOAD) {
        if (const auto values = buffers_->forwarded(record)) return forwarded_load(record, *values);
      }
    }
    switch (record.kind) {
      case HEDDLE_ALLOC:
      case HEDDLE_STACK_OBJECT:
      case HEDDLE_STACK_OBJECT_END: known_.forget(record.address, record.value); return {};
      case HEDDLE_EXTERN_WRITE:
      case HEDDLE_UNTRACKED: known_.forget(record.address, record.size); return {};
      case HEDDLE_STORE: store(record, record.value, record.value2); return {};
      case HEDDLE_LOAD: return load(record, record.value, record.value2);
      case HEDDLE_AWAIT: return load(record, record.value, 0);
      case HEDDLE_RMW:
      case HEDDLE_CAS: return update(record);
      default: return {};
    }
  }

 private:
  static bool legal_size(const HeddleRecord& record) {
    if (record.kind == HEDDLE_UNTRACKED && record.address == 0) return record.size == 0;  // anywhere, in a free run
    if (find_kind(record.kind)->family != Family::kMemory) return record.size >= 1 && record.size <= 16;
    return record.size == 1 || record.size == 2 || record.size == 4 || record.size == 8 || record.size == 16;
  }

  static uint8_t byte_of(uint64_t low, uint64_t high, unsigned i) {
    return static_cast<uint8_t>(i < 8 ? low >> (8 * i) : high >> (8 * (i - 8)));
  }

  void store(const HeddleRecord& record, uint64_t low, uint64_t high) {
    for (unsigned i = 0; i < record.size; ++i) known_.set(record.address + i, byte_of(low, high, i));
  }

  std::string load(const HeddleRecord& record, uint64_t low, uint64_t high) const {
    for (unsigned i = 0; i < record.size; ++i) {
      const uint8_t* byte = known_.find(record.address + i);
      if (!byte || *byte == byte_of(low, high, i)) continue;
      return fmt::format("the byte at {:#x} was last stored as {:#04x}, here it is {:#04x}", record.address + i, *byte,
                         byte_of(low, high, i));
    }
    return {};
  }

  std::string flush(const HeddleRecord& record) {
    if (!buffers_) return "there are no store buffers under sequential consistency";
    if (!(record.flags & HEDDLE_FLAG_FAILED)) store(record, record.value, record.value2);
    return buffers_->flush(record);
  }

  static std::string forwarded_load(const HeddleRecord& record, const std::array<uint64_t, 2>& values) {
    if (record.value == values[0] && record.value2 == values[1]) return {};
    return fmt::format("its thread's own buffered store wrote {:#x}, here it is {:#x}", values[0], record.value);
  }

  std::string update(const HeddleRecord& record) {
    // A 16-byte update has its values in two records; it is not followed.
    if (record.size > 8) {
      known_.forget(record.address, record.size);
      return {};
    }
    std::string problem = load(record, record.value, 0);
    if (wrote_memory(record)) store(record, record.value2, 0);
    return problem;
  }

  bool follow_values_ = false;
  std::optional<StoreBuffers> buffers_;
  KnownBytes known_;
};

}  // namespace

std::unique_ptr<Rule> make_memory_rule(const Trace& trace) { return std::make_unique<MemoryRule>(trace); }

}  // namespace heddle::trace
