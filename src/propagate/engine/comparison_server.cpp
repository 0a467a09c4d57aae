// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/comparison_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "execute/spawn.h"

namespace heddle::propagate {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSecond = 1'000'000'000;

long futex(const uint32_t& word, int operation, uint32_t value, double seconds) {
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(seconds);
  timeout.tv_nsec = static_cast<long>((seconds - static_cast<double>(timeout.tv_sec)) * 1e9);
  return ::syscall(SYS_futex, &word, operation, value, operation == FUTEX_WAIT ? &timeout : nullptr, nullptr, 0);
}

base::Error system_error(const char* what) { return {fmt::format("cannot {}: {}", what, std::strerror(errno)), ""}; }

// In memory, where there is such a place.
base::Result<std::string> make_scratch() {
  std::error_code failed;
  const fs::path memory = "/dev/shm";
  const fs::path root = fs::is_directory(memory, failed) && ::access(memory.c_str(), W_OK) == 0
                            ? memory
                            : fs::temp_directory_path(failed);
  std::string name = (root / "heddle-runs-XXXXXX").string();
  if (!::mkdtemp(name.data())) return system_error("make a directory for the output of runs");
  return name;
}

}  // namespace

std::vector<uint32_t> tree_place(const HeddleComparison& channel, uint32_t lane) {
  std::vector<uint32_t> place;
  for (uint32_t steps = 0; lane < HEDDLE_MOST_LANES && steps < HEDDLE_MOST_LANES; ++steps) {
    const HeddleLane& told = lane < channel.known_lanes ? channel.known[lane] : channel.run[lane];
    if (told.parent == HEDDLE_NO_LANE) break;
    place.push_back(told.child_number);
    lane = told.parent;
  }
  std::reverse(place.begin(), place.end());
  return place;
}

base::Result<std::unique_ptr<ComparisonServer>> ComparisonServer::start(const build::ComparisonTarget& target,
                                                                        const ServerSettings& settings) {
  std::unique_ptr<ComparisonServer> server(new ComparisonServer);
  server->interrupted_ = settings.interrupted;
  server->file_ = ::memfd_create("heddle-comparison", MFD_CLOEXEC);
  if (server->file_ < 0) return system_error("create shared memory");
  void* memory = MAP_FAILED;
  if (::ftruncate(server->file_, static_cast<off_t>(heddle_stream_offset(HEDDLE_MOST_LANES))) == 0)
    memory = ::mmap(nullptr, sizeof(HeddleComparison), PROT_READ | PROT_WRITE, MAP_SHARED, server->file_, 0);
  if (memory == MAP_FAILED) return system_error("map shared memory");
  HeddleComparison* channel = server->channel_ = static_cast<HeddleComparison*>(memory);
  channel->magic = HEDDLE_COMPARISON_MAGIC;
  channel->version = HEDDLE_COMPARISON_VERSION;
  auto scratch = make_scratch();
  if (!scratch) return scratch.error();
  server->scratch_ = *scratch;

  execute::SpawnSettings spawn;
  spawn.executable = target.executable;
  spawn.program_name = target.program_name;
  spawn.arguments = settings.arguments;
  spawn.channel = server->file_;
  spawn.channel_variable = HEDDLE_COMPARISON_VARIABLE;
  spawn.variables = {fmt::format("{}={}", HEDDLE_SCRATCH_VARIABLE, server->scratch_)};
  spawn.input = settings.input;
  auto started = execute::spawn_target(spawn);
  if (!started) return started.error();
  server->process_ = *started;
  while (__atomic_load_n(&channel->ready, __ATOMIC_SEQ_CST) == 0) {
    int status = 0;
    if (::waitpid(server->process_, &status, WNOHANG) == server->process_) {
      server->process_ = -1;
      return base::Error{fmt::format("the instrumented program {} could not start: {}", target.executable,
                                     execute::how_it_ended(status)),
                         "a library it needs may be missing: try heddle doctor"};
    }
    futex(channel->ready, FUTEX_WAIT, 0, 0.05);
  }
  if (channel->segments != target.code.segments.size())
    return base::Error{"the cached target is not the one described beside it", "empty the cache and try again"};
  return server;
}

ComparisonServer::~ComparisonServer() {
  if (process_ > 0) {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  for (size_t i = 0; i < streams_.size(); ++i)
    if (streams_[i]) ::munmap(const_cast<uint64_t*>(streams_[i]), mapped_[i]);
  if (channel_) ::munmap(channel_, sizeof(HeddleComparison));
  if (file_ >= 0) ::close(file_);
  std::error_code ignored;
  if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
}

base::Result<void> ComparisonServer::ask(uint32_t question) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scratch_, ignored)) fs::remove(entry.path(), ignored);
  const auto begin = std::chrono::steady_clock::now();
  channel_->question = question;
  const uint32_t posted = __atomic_add_fetch(&channel_->posted, 1u, __ATOMIC_SEQ_CST);
  futex(channel_->posted, FUTEX_WAKE, 1, 0);
  for (;;) {
    const uint32_t done = __atomic_load_n(&channel_->done, __ATOMIC_SEQ_CST);
    if (done == posted) break;
    if (interrupted_ && *interrupted_) return base::Error{"interrupted", ""};
    if (futex(channel_->done, FUTEX_WAIT, done, 0.1) == 0) continue;
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      return base::Error{"the process that runs the program is gone: " + execute::how_it_ended(status),
                         "run the command again"};
    }
  }
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (channel_->end == HEDDLE_END_REFUSED) return base::Error{channel_->refusal, ""};
  return {};
}

base::Result<void> ComparisonServer::map_streams() {
  streams_.assign(channel_->known_lanes, nullptr);
  mapped_.assign(channel_->known_lanes, 0);
  for (uint32_t lane = 0; lane < channel_->known_lanes; ++lane) {
    const uint64_t bytes = mapped_[lane] = (channel_->known[lane].words + 1) * 8;
    void* memory = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_, static_cast<off_t>(heddle_stream_offset(lane)));
    if (memory == MAP_FAILED) return system_error("map a stream");
    streams_[lane] = static_cast<const uint64_t*>(memory);
  }
  return {};
}

// Numbers the lanes of the fault-free run by their places in the tree of threads. False: they are numbered so already.
bool ComparisonServer::plan_lanes() {
  const uint32_t count = channel_->known_lanes;
  std::vector<std::pair<std::vector<uint32_t>, uint32_t>> places;  // and the number so far
  for (uint32_t lane = 0; lane < count; ++lane) places.emplace_back(tree_place(*channel_, lane), lane);
  if (std::is_sorted(places.begin(), places.end())) return false;
  std::sort(places.begin(), places.end());
  std::vector<uint32_t> number(count);
  for (uint32_t i = 0; i < count; ++i) number[places[i].second] = i;
  for (uint32_t lane = 0; lane < count; ++lane) {
    const HeddleLane& told = channel_->known[lane];
    channel_->plan[number[lane]] = {told.parent == HEDDLE_NO_LANE ? HEDDLE_NO_LANE : number[told.parent],
                                    told.child_number};
  }
  channel_->planned_lanes = count;
  return true;
}

// A run is learned on empty streams.
void ComparisonServer::forget_streams() {
  for (uint32_t lane = 0; lane < channel_->known_lanes; ++lane) {
    const auto bytes = static_cast<off_t>((channel_->known[lane].words + HEDDLE_SPARE_WORDS) * 8);
    ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(heddle_stream_offset(lane)),
                bytes);
  }
}

base::Result<void> ComparisonServer::learn() {
  if (auto learned = learn_once(); !learned) return learned;
  // Where threads have their stacks and heaps goes by their numbers, which must not depend on timing.
  if (plan_lanes()) {
    forget_streams();
    if (auto learned = learn_once(); !learned) return learned;
  }
  if (channel_->overflow) return base::Error{"the program allocates more than a million blocks", ""};
  if (auto mapped = map_streams(); !mapped) return mapped.error();
  uint64_t words = 0;
  for (uint32_t lane = 0; lane < channel_->known_lanes; ++lane) words += channel_->known[lane].words;
  channel_->budget = std::max<uint64_t>(10 * words, 10'000);
  const auto took = static_cast<uint64_t>(seconds_ * 1e9);
  channel_->cpu_nanoseconds = kSecond + 10 * took;
  channel_->quiet_nanoseconds = std::max<uint64_t>(kSecond / 5, 2 * took);
  return {};
}

base::Result<void> ComparisonServer::learn_once() {
  channel_->budget = ~uint64_t{0};
  channel_->cpu_nanoseconds = 0;
  channel_->quiet_nanoseconds = 20 * kSecond;
  if (auto asked = ask(HEDDLE_ASK_LEARN); !asked) return asked.error();
  switch (channel_->end) {
    case HEDDLE_END_SIGNAL:
      return base::Error{fmt::format("without any fault the program ends by signal {}", channel_->code),
                         "mend that first"};
    case HEDDLE_END_BLOCKED:
      return base::Error{"without any fault the program does not end: all its threads sleep", ""};
    default: return {};
  }
}

base::Result<void> ComparisonServer::adopt(const ComparisonServer& other) {
  const HeddleComparison& from = *other.channel_;
  channel_->known_lanes = from.known_lanes;
  channel_->known_blocks = from.known_blocks;
  channel_->budget = from.budget;
  channel_->cpu_nanoseconds = from.cpu_nanoseconds;
  channel_->quiet_nanoseconds = from.quiet_nanoseconds;
  std::copy(from.known, from.known + from.known_lanes, channel_->known);
  std::copy(from.block, from.block + std::min(from.known_blocks, HEDDLE_MOST_BLOCKS_KEPT), channel_->block);
  for (uint32_t lane = 0; lane < from.known_lanes; ++lane) {
    const auto* bytes = reinterpret_cast<const char*>(other.streams_[lane]);
    const uint64_t size = from.known[lane].words * 8;
    for (uint64_t at = 0; at < size;) {
      const ssize_t written =
          ::pwrite(file_, bytes + at, size - at, static_cast<off_t>(heddle_stream_offset(lane) + at));
      if (written <= 0) return system_error("copy a stream");
      at += static_cast<uint64_t>(written);
    }
  }
  if (auto asked = ask(HEDDLE_ASK_ADOPT); !asked) return asked.error();
  return map_streams();
}

base::Result<void> ComparisonServer::compare(const HeddleFault& fault) {
  channel_->fault = fault;
  return ask(HEDDLE_ASK_COMPARE);
}

Output ComparisonServer::output() const {
  Output output;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scratch_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name == "errors") continue;
    auto bytes = base::read_file(entry.path().string());
    output.emplace(name, bytes ? std::optional(std::move(*bytes)) : std::nullopt);
  }
  return output;
}

// The runtime puts a hash of the path before the name.
std::string output_name(const std::string& name) {
  if (name == kStandardOutput) return "standard output";
  const size_t dash = name.find('-');
  return dash == std::string::npos ? name : name.substr(dash + 1);
}

std::string output_difference(const Output& expected, const Output& actual) {
  for (const auto& [name, bytes] : expected) {
    const auto found = actual.find(name);
    if (found == actual.end()) return output_name(name) + " was not written";
    if (!found->second) return output_name(name) + " cannot be read";
    if (found->second != bytes) return output_name(name) + " is another one";
  }
  for (const auto& [name, bytes] : actual)
    if (!expected.contains(name)) return output_name(name) + " was written";
  return "";
}

}  // namespace heddle::propagate
