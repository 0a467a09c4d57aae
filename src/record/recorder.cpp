// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/standard_streams.h"
#include "build/code_places.h"
#include "record/pt/decode_run.h"
#include "record/pt/perf.h"
#include "record/recording_file.h"
#include "record/stamp_clock.h"

extern char** environ;

namespace heddle::record {
namespace {

constexpr int kRecordingDescriptor = 1023;

// While the program runs, the keyboard's signals are its own business, and a request to end is
// handed on to it.
class SignalsForChild {
 public:
  SignalsForChild() {
    child_ = 0;
    struct sigaction ignore = {}, hand_on = {};
    ignore.sa_handler = SIG_IGN;
    hand_on.sa_handler = [](int number) {
      if (child_ > 0) ::kill(child_, number);
    };
    ::sigaction(SIGINT, &ignore, &old_[0]);
    ::sigaction(SIGQUIT, &ignore, &old_[1]);
    ::sigaction(SIGTERM, &hand_on, &old_[2]);
    ::sigaction(SIGHUP, &hand_on, &old_[3]);
  }
  ~SignalsForChild() {
    child_ = 0;
    restore();
  }
  void restore() const {
    ::sigaction(SIGINT, &old_[0], nullptr);
    ::sigaction(SIGQUIT, &old_[1], nullptr);
    ::sigaction(SIGTERM, &old_[2], nullptr);
    ::sigaction(SIGHUP, &old_[3], nullptr);
  }
  void set_child(pid_t child) { child_ = child; }

 private:
  static inline volatile sig_atomic_t child_ = 0;
  struct sigaction old_[4] = {};
};

std::string perf_data(const RecorderOptions& options) { return options.file + ".perf"; }

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> found;
  for (char** variable = environ; *variable; ++variable) found.emplace_back(*variable);
  return found;
}

// The program, or perf with the program.
base::Result<pid_t> start(const build::Target& target, const RecorderOptions& options, int descriptor,
                          const SignalsForChild& signals) {
  std::vector<std::string> words = {options.name};
  std::string executable = target.executable;
  if (!options.perf.empty()) {
    auto traced = pt::traced_command(target, options.perf, perf_data(options));
    if (!traced) return traced.error();
    words = std::move(*traced);
    executable = options.perf;
  }
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> variables = own_environment();
  rlimit files = {};
  const int wanted = ::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur > kRecordingDescriptor
                         ? kRecordingDescriptor
                         : descriptor;
  variables.push_back(fmt::format("{}={}", HEDDLE_RECORDING_VARIABLE, wanted));
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  int report[2];  // what kept the program from starting
  if (::pipe2(report, O_CLOEXEC) != 0)
    return base::Error{fmt::format("cannot start a process: {}", std::strerror(errno)), ""};
  const pid_t child = ::fork();
  if (child == 0) {
    signals.restore();
    base::restore_standard_streams();
    if (wanted == descriptor) {
      ::fcntl(descriptor, F_SETFD, 0);
    } else {
      ::dup2(descriptor, wanted);
    }
    ::execve(executable.c_str(), arguments.data(), environment.data());
    const int why = errno;
    (void)!::write(report[1], &why, sizeof why);
    ::_exit(127);
  }
  const int fork_error = errno;
  ::close(report[1]);
  int why = 0;
  const bool not_started = child < 0 || ::read(report[0], &why, sizeof why) == sizeof why;
  ::close(report[0]);
  if (child < 0) why = fork_error;
  if (!not_started) return child;
  if (child > 0) ::waitpid(child, nullptr, 0);
  return base::Error{fmt::format("cannot start {}: {}", executable, std::strerror(why)), ""};
}

constexpr std::chrono::seconds kPatience(10);  // with perf, which ends the program and then writes its file

// Waits for the child; true: it had to be killed for it took too long. `asks`: it is asked to end first.
bool wait_for(pid_t child, double timeout_seconds, bool asks, int* status, rusage* usage) {
  bool too_long = false;
  if (timeout_seconds > 0) {
    std::chrono::duration<double> after_begin(timeout_seconds);
    const auto begin = std::chrono::steady_clock::now();
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    for (;;) {
      const double left = std::chrono::duration<double>(begin + after_begin - std::chrono::steady_clock::now()).count();
      pollfd ended = {handle, POLLIN, 0};
      const int milliseconds = left <= 0 ? 0 : static_cast<int>(std::min(left * 1000 + 1, 1e9));
      const int ready = ::poll(&ended, handle >= 0 ? 1 : 0, handle >= 0 ? milliseconds : std::min(milliseconds, 20));
      if (ready > 0 || (handle < 0 && ::kill(child, 0) != 0)) break;
      if (left > 0) continue;
      too_long = true;
      ::kill(child, asks ? SIGTERM : SIGKILL);
      if (!asks) break;
      asks = false;
      after_begin += kPatience;
    }
    if (handle >= 0) ::close(handle);
  }
  while (::wait4(child, status, 0, usage) < 0 && errno == EINTR) {
  }
  return too_long;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

base::Result<Facts> facts_of(const build::Target& target, const RecorderOptions& options) {
  auto functions = build::functions_of(target.executable);
  if (!functions) return functions.error();
  Facts facts;
  facts.program = target.program_name;
  facts.module_hash = target.module_hash;
  facts.executable = target.executable;
  facts.inputs = options.inputs;
  facts.cflags = options.cflags;
  facts.arguments = options.arguments;
  facts.environment = own_environment();
  for (const build::CodeRange& range : *functions)
    facts.functions.push_back({range.function, range.address, range.size});
  facts.unknown_functions = target.unknown_functions;
  return facts;
}

}  // namespace

base::Result<RecordedRun> record_program(const build::Target& target, const RecorderOptions& options) {
  auto facts = facts_of(target, options);
  if (!facts) return facts.error();
  RecordingFile::Limits limits = {options.keep_last, options.marks_cores, 0, options.values};
  if (options.stamps) {
    auto margin = stamp_margin();
    if (!margin) return margin.error();
    limits.stamp_margin = *margin;
  }
  auto file = RecordingFile::create(options.file, *facts, limits);
  if (!file) return file.error();

  SignalsForChild signals;
  const auto begin = std::chrono::steady_clock::now();
  auto child = start(target, options, file->descriptor(), signals);
  if (!child) return child.error();
  signals.set_child(*child);
  int status = 0;
  rusage usage = {};
  const bool too_long = wait_for(*child, options.timeout_seconds, !options.perf.empty(), &status, &usage);

  RecordedRun run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  run.ending = too_long ? Ending::kTimedOut : WIFSIGNALED(status) ? Ending::kSignalled : Ending::kExited;
  run.status = too_long ? SIGKILL : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  run.was_recorded = file->head().ready == 1;
  HeddleRecordedFailure& failure = file->head().failure;
  if (failure.seen)
    if (const uint32_t site = build::site_at(target.executable, failure.instruction)) failure.site = site;
  if (!options.perf.empty() && run.was_recorded) {
    auto decoded = pt::decode_run(target, perf_data(options), *file);
    if (!decoded) run.without_paths = decoded.error().message;
    if (decoded) std::filesystem::remove(perf_data(options));
  }
  if (auto finished = file->finish(run.ending, run.status); !finished) return finished.error();
  run.file_bytes = file->bytes_on_disk();
  return run;
}

}  // namespace heddle::record
