// SPDX-License-Identifier: Apache-2.0
//
// All that is known of the recorded ways of the threads. A thread that goes its
// recorded way is straight-line code: which operations it performs follows from
// the way alone, only their values do not. So what one run shows of one thread may
// be put beside what another run shows of another:
//
//   run 1   T0.0 ======x        T0.1 ==x              x: leaves its recorded way
//   run 2   T0.0 ===x           T0.1 ===========x
//   known   T0.0 ======         T0.1 ===========
//
// Whether threads can go that far together is a question of order (explanation.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reproduce/path_comparison.h"

namespace heddle::reproduce {

struct KnownThread {
  const record::Thread* recorded = nullptr;  // null: nothing was recorded of it
  std::vector<HeddleRecord> records;         // of the run that went its way furthest; threads are numbered as here
  Agreement agreement;

  bool is_whole() const { return !recorded || agreement.kind == Agreement::Kind::kBeyond; }
  // It went its way to the end of the thread.
  bool has_ended() const;
};

class KnownPaths {
 public:
  // Both must outlive this.
  KnownPaths(const record::Recording& recording, const SwitchNumbers& switches)
      : recording_(recording), switches_(switches) {}

  // What a run beside the recording shows: bits that agree, and whether any thread left its way.
  struct Lesson {
    uint64_t bits = 0;
    bool deviates = false;
    bool is_new = false;  // some thread is known further than before
  };
  Lesson learn(const trace::Trace& trace);
  // Nothing is known any more.
  void forget();
  // What another one knows, of the same recording, is known instead.
  void replace_by(KnownPaths&& other);

  const std::vector<KnownThread>& threads() const { return threads_; }
  // Every recorded thread is known, with all of its way.
  bool is_whole() const;
  uint64_t bits() const;
  uint32_t find(const std::string& name) const;  // kNobody: not known

  // Tables of the runs with the numbers of threads as here, and no events.
  const trace::Trace& frame() const { return frame_; }
  // Memory before the first access, by byte.
  const std::map<uint64_t, uint8_t>& first_bytes() const { return first_bytes_; }
  // Blocks that were allocated: address and size.
  const std::map<uint64_t, uint64_t>& blocks() const { return blocks_; }

 private:
  void look_at_memory(const trace::Trace& trace);
  uint32_t number_of(const trace::Trace& trace, uint32_t thread, const std::vector<uint32_t>& numbers);

  const record::Recording& recording_;
  const SwitchNumbers& switches_;
  trace::Trace frame_;
  std::vector<KnownThread> threads_;
  std::map<std::string, uint32_t> numbers_;  // by name
  std::map<uint64_t, uint8_t> first_bytes_;
  std::map<uint64_t, uint64_t> blocks_;
};

}  // namespace heddle::reproduce
