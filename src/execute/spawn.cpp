// SPDX-License-Identifier: Apache-2.0
#include "execute/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "abi/channel.h"
#include "base/standard_streams.h"

extern char** environ;

namespace heddle::execute {
namespace {

constexpr int kChannelFile = 1023;

// What the program reads and writes.
void place_descriptors(const SpawnSettings& settings) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(settings.input >= 0 ? settings.input : nowhere, 0);
  const int output = ::dup(settings.output >= 0 ? settings.output : nowhere);
  const int errors = ::dup(settings.errors >= 0 ? settings.errors : nowhere);
  ::dup2(output, 1);
  ::dup2(errors, 2);
  ::close(output);
  ::close(errors);
  if (nowhere > 2) ::close(nowhere);
}

// In the child, between vfork and exec: it still lives in the parent's memory, so
// it changes none of it.
[[noreturn]] void become_target(const SpawnSettings& settings, char** arguments, char** environment, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  // Addresses of libraries are the same in every process.
  ::personality(ADDR_NO_RANDOMIZE);
  // First of all, for it may have a number that is about to be used: also clears
  // close-on-exec. The program will not get this number by itself.
  ::dup2(settings.channel, kChannelFile);
  if (!settings.debugger.empty()) {
    ::signal(SIGINT, SIG_DFL);
    base::restore_broken_pipes();
    ::execvpe(arguments[0], arguments, environment);
    ::_exit(127);
  }
  ::setpgid(0, 0);
  place_descriptors(settings);
  ::signal(SIGINT, SIG_IGN);
  base::restore_broken_pipes();
  ::execve(settings.executable.c_str(), arguments, environment);
  ::_exit(127);
}

}  // namespace

base::Result<pid_t> spawn_target(const SpawnSettings& settings) {
  std::vector<char*> arguments;
  for (const std::string& word : settings.debugger) arguments.push_back(const_cast<char*>(word.c_str()));
  const std::string& name = settings.debugger.empty() ? settings.program_name : settings.executable;
  arguments.push_back(const_cast<char*>(name.c_str()));
  for (const std::string& argument : settings.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);
  std::string channel = fmt::format("{}={}", settings.channel_variable, kChannelFile), bind_now = "LD_BIND_NOW=1";
  environment.push_back(channel.data());
  environment.push_back(bind_now.data());
  for (const std::string& variable : settings.variables) environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  const pid_t parent = ::getpid();
  // Not fork: that copies the page tables, which takes longer than all the rest.
  const pid_t child = ::vfork();  // NOLINT(bugprone-unsafe-functions): it changes nothing before it becomes the target
  if (child == 0) become_target(settings, arguments.data(), environment.data(), parent);
  if (child < 0) return base::Error{fmt::format("cannot start a process: {}", std::strerror(errno)), ""};
  return child;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("the target was killed by signal {}", WTERMSIG(status));
  return fmt::format("the target ended by itself with code {}", WEXITSTATUS(status));
}

}  // namespace heddle::execute
