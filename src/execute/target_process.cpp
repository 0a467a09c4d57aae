// SPDX-License-Identifier: Apache-2.0
#include "execute/target_process.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "execute/spawn.h"

namespace heddle::execute {
namespace {

template <typename T>
T load(const T& word) {
  return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

// False when the time is over.
bool futex_wait(const uint32_t& word, uint32_t expected, double seconds) {
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(seconds);
  timeout.tv_nsec = static_cast<long>((seconds - static_cast<double>(timeout.tv_sec)) * 1e9);
  return ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0) == 0 || errno != ETIMEDOUT;
}

void futex_wake(const uint32_t& word) { ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

base::Error system_error(const char* what) { return {fmt::format("cannot {}: {}", what, std::strerror(errno)), ""}; }

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

  SpawnSettings spawn;
  spawn.executable = settings.executable;
  spawn.program_name = settings.program_name;
  spawn.arguments = settings.arguments;
  spawn.debugger = settings.debugger;
  process->is_debugged_ = !settings.debugger.empty();
  spawn.channel = file;
  spawn.input = settings.input;
  spawn.output = settings.output;
  spawn.errors = settings.errors;
  auto started = spawn_target(spawn);
  ::close(file);
  if (!started) return started.error();
  process->process_ = *started;

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
  if (!is_debugged_) core_.follow(process_);
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
  if (futex_wait(channel_->producer_moved, moved, seconds)) return;
  core_.release(process_, load(channel_->child));
}

bool TargetProcess::batch_done() const { return load(channel_->done) == channel_->posted; }

std::string TargetProcess::waiting() const {
  const std::string text(channel_->waiting, ::strnlen(channel_->waiting, sizeof channel_->waiting));
  return text.empty() ? "an endless loop, or a system call that blocks" : text;
}

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
  if (!is_debugged_) {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
  }
  ::waitpid(process_, &wait_status_, 0);
  ended_ = true;
}

}  // namespace heddle::execute
