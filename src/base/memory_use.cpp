// SPDX-License-Identifier: Apache-2.0
#include "base/memory_use.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>

namespace heddle::base {

namespace {

// Small files of /proc and /sys in one read; empty: it is not there.
std::string read_small(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return "";
  char text[4096];
  const ssize_t got = ::read(fd, text, sizeof text);
  ::close(fd);
  return got > 0 ? std::string(text, static_cast<size_t>(got)) : "";
}

// Numbers of a text, separated by blanks.
std::vector<uint64_t> numbers_of(const std::string& text) {
  std::vector<uint64_t> numbers;
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end) {
    const uint64_t number = std::strtoull(at, &end, 10);
    if (end == at) return numbers;
    numbers.push_back(number);
  }
}

// The limit of a control group, or of one around it. The file says "max" if there is none.
uint64_t group_limit(const std::string& root, std::string group, const char* file) {
  uint64_t least = UINT64_MAX;
  for (;;) {
    const std::vector<uint64_t> limit = numbers_of(read_small(root + group + "/" + file));
    if (!limit.empty()) least = std::min(least, limit[0]);
    if (group.empty() || group == "/") return least;
    group.resize(group.rfind('/'));
  }
}

// "/user.slice/..." out of a line of /proc/self/cgroup.
std::string group_of(const std::string& groups, const std::string& begin) {
  size_t at = groups.starts_with(begin) ? 0 : groups.find("\n" + begin);
  if (at == std::string::npos) return "";
  if (groups[at] == '\n') ++at;
  at += begin.size();
  return groups.substr(at, groups.find('\n', at) - at);
}

}  // namespace

const std::vector<ProcessTree::Member>& ProcessTree::measure() {
  static const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (std::chrono::steady_clock::now() >= next_search_) find_members();
  for (Member& member : members_) {
    const std::vector<uint64_t> pages = numbers_of(read_small(fmt::format("/proc/{}/statm", member.process)));
    if (pages.size() < 3) {  // total, resident, shared
      member.bytes = 0;      // it has ended
    } else {
      const bool is_own = &member == members_.data();
      member.bytes = (is_own ? pages[1] : pages[1] - std::min(pages[1], pages[2])) * page;
    }
  }
  return members_;
}

uint64_t ProcessTree::total() const {
  uint64_t bytes = 0;
  for (const Member& member : members_) bytes += member.bytes;
  return bytes;
}

// Not every kernel lists the children of a process, so all processes are asked for their parents.
void ProcessTree::find_members() {
  const auto begin = std::chrono::steady_clock::now();
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto process = static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10));
    if (process <= 0) continue;
    const std::string stat = read_small(entry.path().string() + "/stat");
    const size_t name_end = stat.rfind(')');  // "PID (NAME) STATE PARENT ..."
    if (name_end == std::string::npos || name_end + 4 > stat.size()) continue;
    children.emplace(static_cast<pid_t>(std::strtol(stat.c_str() + name_end + 4, nullptr, 10)), process);
  }
  members_ = {{::getpid(), 0}};
  for (size_t i = 0; i < members_.size(); ++i) {
    const auto [first, last] = children.equal_range(members_[i].process);
    for (auto child = first; child != last; ++child) members_.push_back({child->second, 0});
  }
  const auto end = std::chrono::steady_clock::now();
  next_search_ =
      end + std::max<std::chrono::steady_clock::duration>(std::chrono::milliseconds(100), 50 * (end - begin));
}

uint64_t machine_memory() {
  const uint64_t pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  uint64_t bytes = pages * page;
  const std::string groups = read_small("/proc/self/cgroup");
  bytes = std::min(bytes, group_limit("/sys/fs/cgroup", group_of(groups, "0::"), "memory.max"));
  if (const size_t at = groups.find(":memory:"); at != std::string::npos) {
    const size_t begin = at + std::strlen(":memory:");
    bytes = std::min(bytes, group_limit("/sys/fs/cgroup/memory", groups.substr(begin, groups.find('\n', begin) - begin),
                                        "memory.limit_in_bytes"));
  }
  return bytes;
}

}  // namespace heddle::base
