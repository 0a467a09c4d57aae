// SPDX-License-Identifier: Apache-2.0
//
// One process of a target, and the channel to it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "abi/channel.h"
#include "base/result.h"
#include "execute/shared_core.h"

namespace heddle::execute {

struct ProcessSettings {
  std::string executable;
  std::string program_name;  // argv[0]
  std::vector<std::string> arguments;
  HeddleMode mode = HEDDLE_MODE_CONTROLLED;
  HeddleCarrier carrier = HEDDLE_CARRIER_FIBER;
  HeddleIsolation isolation = HEDDLE_ISOLATION_IN_PROCESS;
  HeddleHeap heap = HEDDLE_HEAP_FRESH;
  int output = -1;  // -1: dropped
  int errors = -1;
  uint32_t ring_records = 1u << 16;
  std::vector<std::string> debugger;  // command that runs the target; empty: none
  int input = -1;                     // file that the program reads as its standard input; -1: empty
};

constexpr uint32_t kRequestBytes = 256u << 20;  // of addresses: schedules of long runs have many steps

class TargetProcess {
 public:
  static base::Result<std::unique_ptr<TargetProcess>> start(const ProcessSettings& settings);
  ~TargetProcess();  // ends the process

  HeddleChannel& channel() { return *channel_; }
  char* request_area() { return reinterpret_cast<char*>(channel_ + 1); }

  // Tells the target that a new batch is in the request area.
  void post(uint32_t requests);

  // The oldest unread record, or null when there is none now.
  const HeddleRecord* next();
  // The record from next() has been used.
  void advance();

  // Waits until there may be something to read, or `seconds` have passed.
  void wait(double seconds);

  bool batch_done() const;
  // True while the process exists; afterwards `wait_status` says how it ended.
  bool alive();
  int wait_status() const { return wait_status_; }
  // Why a target that is silent may be silent.
  std::string waiting() const;
  // SIGKILL to the process and the child it forked for a run. A debugger is waited for: its user ends it.
  void kill_all();

 private:
  TargetProcess() = default;
  void give_room();

  HeddleChannel* channel_ = nullptr;
  size_t bytes_ = 0;
  HeddleRecord* ring_ = nullptr;
  uint64_t consumed_ = 0;
  uint64_t produced_ = 0;  // as last seen
  pid_t process_ = -1;
  SharedCore core_;
  bool is_debugged_ = false;
  bool ended_ = false;
  int wait_status_ = 0;
};

}  // namespace heddle::execute
