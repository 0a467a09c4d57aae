// SPDX-License-Identifier: Apache-2.0
#include "stepped_run.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <utility>

namespace stepping {
namespace {

volatile sig_atomic_t asked_to_end;

[[noreturn]] void fail(const char* what) {
  fprintf(stderr, "stepping: %s: %s\n", what, strerror(errno));
  exit(125);
}

constexpr size_t kInstruction = offsetof(user, regs) + offsetof(user_regs_struct, rip);

uint64_t entry_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/auxv", std::ios::binary);
  Elf64_auxv_t each = {};
  while (file.read(reinterpret_cast<char*>(&each), sizeof each))
    if (each.a_type == AT_ENTRY) return each.a_un.a_val;
  fail("no entry");
}

bool sleeps(pid_t process, pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name = line.rfind(')');
  return name == std::string::npos || line.compare(name + 1, 2, " S") == 0;
}

}  // namespace

SteppedRun::SteppedRun(std::vector<std::string> command, uint64_t seed, const Mishaps& mishaps)
    : command_(std::move(command)), random_(seed), mishaps_(mishaps) {}

uint64_t SteppedRun::address_of(pid_t thread) const {
  return static_cast<uint64_t>(ptrace(PTRACE_PEEKUSER, thread, reinterpret_cast<void*>(kInstruction), nullptr));
}

// To the entry of the program at full speed: what the loader does is of no interest.
void SteppedRun::start() {
  std::vector<char*> arguments;
  for (std::string& word : command_) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    setenv("LD_BIND_NOW", "1", 1);  // the loader does its work before the entry
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (waitpid(process_, &status, 0) != process_ || !WIFSTOPPED(status)) fail("cannot start the program");
  ptrace(PTRACE_SETOPTIONS, process_, nullptr, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  const uint64_t entry = entry_of(process_);
  errno = 0;
  const long before = ptrace(PTRACE_PEEKTEXT, process_, entry, nullptr);
  ptrace(PTRACE_POKETEXT, process_, entry, (before & ~0xffl) | 0xcc);
  ptrace(PTRACE_CONT, process_, nullptr, nullptr);
  if (waitpid(process_, &status, 0) != process_ || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
    fail("the program did not come to its entry");
  ptrace(PTRACE_POKETEXT, process_, entry, before);
  ptrace(PTRACE_POKEUSER, process_, kInstruction, entry);
  threads_[process_] = {};
}

void SteppedRun::find_code() {
  char path[4096];
  const ssize_t size = readlink(("/proc/" + std::to_string(process_) + "/exe").c_str(), path, sizeof path);
  if (size < 0) fail("readlink");
  file_.assign(path, static_cast<size_t>(size));
  std::ifstream maps("/proc/" + std::to_string(process_) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0, offset = 0;
    char rights[8] = "", name[4096] = "";
    if (sscanf(line.c_str(), "%lx-%lx %7s %lx %*s %*s %4095s", &begin, &end, rights, &offset, name) != 5 ||
        rights[2] != 'x' || file_ != name)
      continue;
    code_.begin = begin;
    code_.end = end;
    code_offset_ = offset;
  }
  if (!code_.begin) fail("the program has no code");
  code_.bytes.resize(code_.end - code_.begin + 16);
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(code_offset_));
  file.read(reinterpret_cast<char*>(code_.bytes.data()), static_cast<std::streamsize>(code_.end - code_.begin));
}

void SteppedRun::put_on(pid_t thread, unsigned number) {
  Thread& state = threads_[thread];
  if (state.core == static_cast<int>(number)) return;
  if (cores_[number].thread) take_off(cores_[number].thread, false);
  if (state.core >= 0) take_off(thread, false);
  state.core = static_cast<int>(number);
  cores_[number].thread = thread;
  changes_.push_back({++time_, number, thread, true, false});
  cores_[number].packets->comes(++time_, address_of(thread));
}

void SteppedRun::take_off(pid_t thread, bool ended) {
  Thread& state = threads_[thread];
  if (state.core < 0) return;
  Core& core = cores_[state.core];
  if (!ended && state.is_stopped) core.packets->leaves(address_of(thread));
  changes_.push_back({++time_, static_cast<uint32_t>(state.core), thread, false, ended});
  core.thread = 0;
  state.core = -1;
}

void SteppedRun::go_wrong(Core& core, uint64_t address) {
  const auto happens = [&](unsigned in_ten_thousand) { return in_ten_thousand && random(10000) < in_ten_thousand; };
  if (core.overflow_left && --core.overflow_left == 0) core.packets->end_overflow(++time_, address);
  if (core.dropped_left && --core.dropped_left == 0) core.packets->begin_piece();
  if (++core.since_synchronised >= 500) {
    core.packets->synchronise(++time_, address, core.packets->is_enabled());
    core.since_synchronised = 0;
  }
  if (core.overflow_left || core.dropped_left || !core.packets->is_enabled()) return;
  if (happens(mishaps_.damages)) core.packets->damage();
  if (happens(mishaps_.cuts)) {
    core.packets->end_piece();
    core.dropped_left = 1 + static_cast<unsigned>(random(300));
  } else if (happens(mishaps_.overflows)) {
    core.packets->begin_overflow();
    core.overflow_left = 1 + static_cast<unsigned>(random(300));
  }
}

// Only a system call can make a thread wait.
bool SteppedRun::is_system_call(pid_t thread, uint64_t address) {
  const auto known = system_calls_.find(address);
  if (known != system_calls_.end()) return known->second;
  const long bytes = ptrace(PTRACE_PEEKTEXT, thread, reinterpret_cast<void*>(address), nullptr);
  return system_calls_[address] = (bytes & 0xffff) == 0x050f;
}

// False: it waits in the kernel.
bool SteppedRun::wait_for(pid_t thread, bool may_sleep, int& status) {
  for (;;) {
    const pid_t found = waitpid(thread, &status, __WALL | (may_sleep ? WNOHANG : 0));
    if (found == thread) return true;
    if (found < 0 || sleeps(process_, thread))
      return found < 0 ? false : waitpid(thread, &status, __WALL | WNOHANG) == thread;
  }
}

// Something else than the end of a step.
void SteppedRun::stopped(pid_t thread, int status) {
  Thread& state = threads_[thread];
  if (WIFEXITED(status) || WIFSIGNALED(status)) {
    state.is_stopped = false;
    take_off(thread, true);
    threads_.erase(thread);
    if (thread == process_) {
      status_ = status;
      over_ = true;
    }
    return;
  }
  state.is_stopped = true;
  if (status >> 8 == (SIGTRAP | PTRACE_EVENT_CLONE << 8)) {
    unsigned long child = 0;
    ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &child);
    int ignored = 0;
    if (waitpid(static_cast<pid_t>(child), &ignored, __WALL) == static_cast<pid_t>(child))
      threads_[static_cast<pid_t>(child)] = {};
  } else if (WSTOPSIG(status) != SIGTRAP) {
    state.signal = WSTOPSIG(status);
  }
}

// One instruction. False: the thread has ended or waits in a system call, so another one has its turn.
bool SteppedRun::step(pid_t thread) {
  Thread& state = threads_[thread];
  Core& core = cores_[state.core];
  const uint64_t from = address_of(thread);
  const bool in_code = code_.has(from), is_call = !in_code && is_system_call(thread, from);
  const int signal = std::exchange(state.signal, 0);
  if (signal) core.packets->leaves(from);  // the kernel takes over; the instruction is not executed
  state.is_stopped = false;
  if (ptrace(PTRACE_SINGLESTEP, thread, nullptr, static_cast<long>(signal)) != 0) return false;
  int status = 0;
  if (!wait_for(thread, is_call, status)) {
    take_off(thread, false);
    return false;
  }
  const bool is_step = WIFSTOPPED(status) && status >> 8 == SIGTRAP;
  if (!is_step) {
    const bool dies = WIFEXITED(status) || WIFSIGNALED(status);
    stopped(thread, status);
    return !dies;
  }
  state.is_stopped = true;
  const uint64_t to = address_of(thread);
  if (signal) {
    if (code_.has(to)) core.packets->comes(++time_, to);
    return true;
  }
  if (to == from && in_code && code_.bytes[from - code_.begin] != 0xeb) return true;  // a string instruction, not ready
  time_ += 2;
  if (in_code) truth_.push_back({thread, from});
  core.packets->executed(time_, from, to);
  go_wrong(core, to);
  return true;
}

void SteppedRun::turn(pid_t thread) {
  const int last = threads_[thread].core;
  put_on(thread, last >= 0 && random(4) ? static_cast<unsigned>(last) : static_cast<unsigned>(random(kCores)));
  // So many instructions of the program's own code; in libraries threads seldom change.
  const size_t end = truth_.size() + (random(3) ? 1 + random(12) : 1 + random(100));
  for (uint64_t i = 0; i < 3000 && truth_.size() < end && !over_; ++i)
    if (!step(thread)) return;
}

int SteppedRun::run() {
  start();
  find_code();
  for (Core& core : cores_) core.packets = std::make_unique<PacketWriter>(code_);
  struct sigaction ask = {};
  ask.sa_handler = [](int) { asked_to_end = 1; };
  sigaction(SIGTERM, &ask, nullptr);
  while (!over_ && !asked_to_end && !threads_.empty()) {
    std::vector<pid_t> ready;
    for (auto& [thread, state] : threads_)
      if (state.is_stopped) ready.push_back(thread);
    if (!ready.empty()) turn(ready[random(ready.size())]);
    // Those that waited in the kernel.
    for (;;) {
      int status = 0;
      const pid_t thread = over_ ? -1 : waitpid(-1, &status, __WALL | (ready.empty() ? 0 : WNOHANG));
      if (thread <= 0) break;
      if (threads_.contains(thread)) stopped(thread, status);
      ready.push_back(thread);
    }
  }
  if (asked_to_end) {
    kill(process_, SIGKILL);
    status_ = SIGKILL;
    for (auto& [thread, state] : threads_) take_off(thread, false);
  }
  for (Core& core : cores_) core.packets->finish();
  return status_;
}

}  // namespace stepping
