// SPDX-License-Identifier: Apache-2.0
#include "execute/target_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace heddle::execute {
namespace {

template <typename T>
T load(const T& word) {
  return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

void futex_wait(const uint32_t& word, uint32_t expected, double seconds) {
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(seconds);
  timeout.tv_nsec = static_cast<long>((seconds - static_cast<double>(timeout.tv_sec)) * 1e9);
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0);
}

void futex_wake(const uint32_t& word) { ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

base::Error system_error(const char* what) { return {fmt::format("cannot {}: {}", what, std::strerror(errno)), ""}; }

// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_target(const ProcessSettings& settings, int channel, char** arguments, char** environment,
                                pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::setpgid(0, 0);
  // Addresses of libraries are the same in every process.
  ::personality(ADDR_NO_RANDOMIZE);
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(settings.input >= 0 ? settings.input : nowhere, 0);
  const int output = ::dup(settings.output >= 0 ? settings.output : nowhere);
  const int errors = ::dup(settings.errors >= 0 ? settings.errors : nowhere);
  ::dup2(output, 1);
  ::dup2(errors, 2);
  ::close(output);
  ::close(errors);
  if (nowhere > 2) ::close(nowhere);
  ::dup2(channel, 1023);  // clears close-on-exec; a number that the program will not get
  ::signal(SIGINT, SIG_IGN);
  ::execve(settings.executable.c_str(), arguments, environment);
  ::_exit(127);
}

}  // namespace

base::Result<std::unique_ptr<TargetProcess>> TargetProcess::start(const ProcessSettings& settings) {
  std::unique_ptr<TargetProcess> process(new TargetProcess);
  const int file = ::memfd_create("heddle-channel", MFD_CLOEXEC);
  if (file < 0) return system_error("create shared memory");
  process->bytes_ = sizeof(HeddleChannel) + kRequestBytes + size_t{settings.ring_records} * sizeof(HeddleRecord);
  void* memory = MAP_FAILED;
  if (::ftruncate(file, static_cast<off_t>(process->bytes_)) == 0)
    memory = ::mmap(nullptr, process->bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    const base::Error error = system_error("map shared memory");
    ::close(file);
    return error;
  }
  HeddleChannel* channel = process->channel_ = static_cast<HeddleChannel*>(memory);
  channel->magic = HEDDLE_CHANNEL_MAGIC;
  channel->version = HEDDLE_CHANNEL_VERSION;
  channel->mode = settings.mode;
  channel->carrier = settings.carrier;
  channel->isolation = settings.isolation;
  channel->heap = settings.heap;
  channel->request_bytes = kRequestBytes;
  channel->ring_records = settings.ring_records;
  process->ring_ = reinterpret_cast<HeddleRecord*>(process->request_area() + kRequestBytes);

  std::vector<char*> arguments = {const_cast<char*>(settings.program_name.c_str())};
  for (const std::string& argument : settings.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);
  std::string channel_variable = std::string(HEDDLE_CHANNEL_VARIABLE) + "=1023", bind_now = "LD_BIND_NOW=1";
  environment.push_back(channel_variable.data());
  environment.push_back(bind_now.data());
  environment.push_back(nullptr);

  const pid_t parent = ::getpid();
  process->process_ = ::fork();
  if (process->process_ == 0) become_target(settings, file, arguments.data(), environment.data(), parent);
  ::close(file);
  if (process->process_ < 0) return system_error("start a process");

  while (load(channel->ready) == 0 && process->alive()) {
    const uint32_t moved = load(channel->producer_moved);
    if (load(channel->ready) == 0) futex_wait(channel->producer_moved, moved, 0.05);
  }
  if (load(channel->ready) == 2)
    return base::Error{"this machine does not let programs set the FS base", "use --carrier=thread"};
  if (load(channel->ready) != 1)
    return base::Error{fmt::format("the instrumented program {} could not start", settings.executable),
                       "a library it needs may be missing: try heddle doctor"};
  return process;
}

TargetProcess::~TargetProcess() {
  kill_all();
  if (channel_) ::munmap(channel_, bytes_);
}

void TargetProcess::post(uint32_t requests) {
  channel_->requests = requests;
  __atomic_fetch_add(&channel_->posted, 1u, __ATOMIC_SEQ_CST);
  futex_wake(channel_->posted);
}

const HeddleRecord* TargetProcess::next() {
  if (consumed_ == produced_) produced_ = load(channel_->produced);
  if (consumed_ == produced_) {
    give_room();
    return nullptr;
  }
  return &ring_[consumed_ & (channel_->ring_records - 1)];
}

void TargetProcess::advance() {
  ++consumed_;
  if ((consumed_ & (channel_->ring_records / 8 - 1)) == 0) give_room();
}

void TargetProcess::give_room() {
  __atomic_store_n(&channel_->consumed, consumed_, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&channel_->producer_waits, __ATOMIC_SEQ_CST)) return;
  __atomic_fetch_add(&channel_->consumer_moved, 1u, __ATOMIC_SEQ_CST);
  futex_wake(channel_->consumer_moved);
}

void TargetProcess::wait(double seconds) {
  const uint32_t moved = load(channel_->producer_moved);
  if (load(channel_->produced) != consumed_ || batch_done()) return;
  futex_wait(channel_->producer_moved, moved, seconds);
}

bool TargetProcess::batch_done() const { return load(channel_->done) == channel_->posted; }

bool TargetProcess::alive() {
  if (ended_ || process_ < 0) return false;
  int status = 0;
  if (::waitpid(process_, &status, WNOHANG) == process_) {
    wait_status_ = status;
    ended_ = true;
  }
  return !ended_;
}

void TargetProcess::kill_all() {
  if (ended_ || process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  ::waitpid(process_, &wait_status_, 0);
  ended_ = true;
}

bool TargetProcess::kill_child() {
  const pid_t child = load(channel_->child);
  if (child <= 0) return false;
  ::kill(child, SIGKILL);
  return true;
}

}  // namespace heddle::execute
