// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace heddle::base {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  void close_write() {
    if (write_end >= 0) ::close(write_end);
    write_end = -1;
  }
  ~Pipe() {
    if (read_end >= 0) ::close(read_end);
    close_write();
  }
};

// Reads both pipes until both are closed, so that neither side can stall.
void drain(Pipe& first, std::string& first_text, Pipe& second, std::string& second_text) {
  pollfd watched[2] = {{first.read_end, POLLIN, 0}, {second.read_end, POLLIN, 0}};
  std::string* texts[2] = {&first_text, &second_text};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    if (::poll(watched, 2, -1) < 0 && errno != EINTR) return;
    for (int i = 0; i < 2; ++i) {
      if (watched[i].fd < 0 || !(watched[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char buffer[1 << 16];
      const ssize_t got = ::read(watched[i].fd, buffer, sizeof buffer);
      if (got > 0) texts[i]->append(buffer, static_cast<size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) watched[i].fd = -1;
    }
  }
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  Pipe out, err;
  if ((options.capture_out && !out.open()) || (options.capture_err && !err.open()))
    return Error{fmt::format("cannot create a pipe: {}", std::strerror(errno)), ""};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (options.capture_out) posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  if (options.capture_err) posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  if (!options.working_directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, options.working_directory.c_str());

  // We ignore it; others rely on it.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &broken_pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> raw;
  for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, raw[0], &actions, &attributes, raw.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return Error{fmt::format("cannot run {}: {}", arguments[0], std::strerror(failed)), ""};

  ProcessOutput output;
  out.close_write();
  err.close_write();
  drain(out, output.out, err, output.err);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string candidate = fmt::format("{}/{}", rest.substr(0, colon), name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return "";
}

std::string own_path() {
  char buffer[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", buffer, sizeof buffer);
  return length > 0 ? std::string(buffer, static_cast<size_t>(length)) : "";
}

}  // namespace heddle::base
