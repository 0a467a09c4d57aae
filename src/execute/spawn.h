// SPDX-License-Identifier: Apache-2.0
//
// Starting a target with its channel.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "abi/channel.h"
#include "base/result.h"

namespace heddle::execute {

struct SpawnSettings {
  std::string executable;
  std::string program_name;  // argv[0]
  std::vector<std::string> arguments;
  std::vector<std::string> debugger;  // command that runs the target; empty: none. It has the terminal.
  int channel = -1;                   // shared memory file; this variable tells the target its number
  std::string channel_variable = HEDDLE_CHANNEL_VARIABLE;
  std::vector<std::string> variables;  // more of them, "NAME=value"
  int input = -1;                      // what the program reads and writes; -1: nothing, nowhere
  int output = -1;
  int errors = -1;
};

// The new process. It dies with this one.
base::Result<pid_t> spawn_target(const SpawnSettings& settings);

// "the target was killed by signal 9".
std::string how_it_ended(int wait_status);

}  // namespace heddle::execute
