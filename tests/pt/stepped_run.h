// SPDX-License-Identifier: Apache-2.0
//
// Runs a program one instruction at a time (ptrace), from its entry on, and deals its threads out to
// two cores that exist only here. So it is known exactly which thread executed what, where and when.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "packet_writer.h"

namespace stepping {

struct Change {
  uint64_t time = 0;
  uint32_t core = 0;
  pid_t thread = 0;
  bool comes = false, ended = false;
};

struct Executed {
  pid_t thread = 0;
  uint64_t address = 0;
};

struct Mishaps {
  unsigned overflows = 0, damages = 0, cuts = 0;  // in ten thousand steps
};

class SteppedRun {
 public:
  static constexpr unsigned kCores = 2;
  SteppedRun(std::vector<std::string> command, uint64_t seed, const Mishaps& mishaps);
  // The status that waitpid gives.
  int run();

  const std::string& file() const { return file_; }
  pid_t process() const { return process_; }
  const Code& code() const { return code_; }
  uint64_t code_offset() const { return code_offset_; }
  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<Executed>& truth() const { return truth_; }
  const PacketWriter& core(unsigned number) const { return *cores_[number].packets; }

 private:
  struct Thread {
    bool is_stopped = true;
    int signal = 0;
    int core = -1;
  };
  struct Core {
    pid_t thread = 0;
    std::unique_ptr<PacketWriter> packets;
    unsigned overflow_left = 0, dropped_left = 0, since_synchronised = 0;
  };
  void start();
  void find_code();
  void turn(pid_t thread);
  bool step(pid_t thread);
  bool is_system_call(pid_t thread, uint64_t address);
  bool wait_for(pid_t thread, bool may_sleep, int& status);
  void stopped(pid_t thread, int status);
  void put_on(pid_t thread, unsigned core);
  void take_off(pid_t thread, bool ended);
  void go_wrong(Core& core, uint64_t address);
  uint64_t address_of(pid_t thread) const;
  uint64_t random(uint64_t below) { return random_() % below; }

  std::vector<std::string> command_;
  std::mt19937_64 random_;
  const Mishaps mishaps_;
  pid_t process_ = 0;
  int status_ = 0;
  bool over_ = false;
  std::string file_;
  uint64_t code_offset_ = 0, time_ = 1000;
  Code code_;
  std::map<pid_t, Thread> threads_;
  std::unordered_map<uint64_t, bool> system_calls_;
  Core cores_[kCores];
  std::vector<Change> changes_;
  std::vector<Executed> truth_;
};

}  // namespace stepping
