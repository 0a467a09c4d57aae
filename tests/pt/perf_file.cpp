// SPDX-License-Identifier: Apache-2.0
#include "perf_file.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

namespace stepping {
namespace {

// The kernel's clock is another one than the processor's.
constexpr uint64_t kShift = 3, kMultiplier = 40, kZero = 77'000'000;
uint64_t nanoseconds(uint64_t counter) { return kZero + (counter * kMultiplier >> kShift); }

constexpr uint64_t kEvent = 4711;  // its number
constexpr size_t kChunk = 5000;    // perf writes packets whenever there are some

class Bytes {
 public:
  template <typename T>
  Bytes& operator<<(const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  std::string text;
};

class PerfFile {
 public:
  void add(uint32_t type, uint16_t misc, const std::string& body) {
    perf_event_header head = {};
    head.type = type;
    head.misc = misc;
    head.size = static_cast<uint16_t>(sizeof head + body.size());
    data_ << head;
    data_.text += body;
  }
  // With who, when and where at its end.
  void add(uint32_t type, uint16_t misc, Bytes body, pid_t process, pid_t thread, uint64_t time, uint32_t core) {
    body << static_cast<uint32_t>(process) << static_cast<uint32_t>(thread) << nanoseconds(time) << core << uint32_t{0}
         << kEvent;
    add(type, misc, body.text);
  }
  void add_packets(uint32_t core, uint64_t offset, const std::string& packets) {
    Bytes body;
    body << uint64_t{packets.size()} << offset << uint64_t{0} << core << uint32_t{0xffffffff} << core << uint32_t{0};
    add(71, 0, body.text);
    data_.text += packets;
  }
  std::string whole() const {
    perf_event_attr event = {};
    event.size = sizeof event;
    event.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
    event.sample_id_all = 1;
    const uint64_t head = 104, ids = head, events = ids + 8, data = events + sizeof event + 16;
    Bytes file;
    file.text = "PERFILE2";
    file << head << uint64_t{sizeof event + 16} << events << uint64_t{sizeof event + 16} << data
         << uint64_t{data_.text.size()};
    file.text.resize(head, '\0');
    file << kEvent << event << ids << uint64_t{8};
    return file.text + data_.text;
  }

 private:
  Bytes data_;
};

void add_stream(PerfFile& file, const SteppedRun& run, uint32_t core) {
  uint64_t offset = 4096;  // of the first byte in the buffer, which was used before
  const std::vector<std::string>& pieces = run.core(core).pieces();
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t at = 0; at < pieces[i].size(); at += kChunk) {
      const std::string chunk = pieces[i].substr(at, kChunk);
      file.add_packets(core, offset, chunk);
      offset += chunk.size();
    }
    if (i + 1 == pieces.size()) break;
    Bytes cut;
    cut << offset << uint64_t{0} << uint64_t{PERF_AUX_FLAG_TRUNCATED};
    file.add(PERF_RECORD_AUX, 0, cut, run.process(), run.process(), 0, core);
  }
}

}  // namespace

std::string perf_data_of(const SteppedRun& run) {
  PerfFile file;
  Bytes about;
  about << uint32_t{1} << uint32_t{0} << uint64_t{8} << kShift << kMultiplier << kZero << uint64_t{1};
  for (int i = 0; i < 12; ++i) about << uint64_t{0};
  file.add(70, 0, about.text);
  Bytes mapping;
  mapping << static_cast<uint32_t>(run.process()) << static_cast<uint32_t>(run.process()) << run.code().begin
          << run.code().end - run.code().begin << run.code_offset() << uint64_t{0} << uint64_t{0} << uint64_t{0}
          << uint32_t{PROT_READ | PROT_EXEC} << uint32_t{MAP_PRIVATE};
  mapping.text += run.file();
  mapping.text.resize((mapping.text.size() + 8) / 8 * 8, '\0');
  file.add(PERF_RECORD_MMAP2, 0, mapping, run.process(), run.process(), 0, 0);
  for (const Change& change : run.changes()) {
    Bytes body;
    if (change.ended) {  // of a thread that ends the kernel says this, and not that it leaves
      body << static_cast<uint32_t>(run.process()) << uint32_t{1} << static_cast<uint32_t>(change.thread) << uint32_t{1}
           << nanoseconds(change.time);
      file.add(PERF_RECORD_EXIT, 0, body, run.process(), change.thread, change.time, change.core);
    } else {
      file.add(PERF_RECORD_SWITCH, change.comes ? 0 : PERF_RECORD_MISC_SWITCH_OUT, body, run.process(), change.thread,
               change.time, change.core);
    }
  }
  for (uint32_t core = 0; core < SteppedRun::kCores; ++core) add_stream(file, run, core);
  return file.whole();
}

}  // namespace stepping
