// SPDX-License-Identifier: Apache-2.0
#include "record/pt/paths.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "record/pt/core_times.h"
#include "record/pt/decoder.h"

namespace heddle::record::pt {
namespace {

// What one thread did in one turn on a core.
struct Part {
  const Turn* turn = nullptr;
  uint32_t core = 0;
  std::vector<uint64_t> addresses;  // with a mark, or all of them
  bool is_cut = false;              // after these something is missing
};

class PartsOfCore : public CoreListener {
 public:
  PartsOfCore(uint32_t core, const CoreTimes& times, const std::function<bool(uint64_t)>& counts, DecodedPaths& result)
      : core_(core), times_(times), counts_(counts), result_(result) {}

  void goes_on(uint64_t time) override {
    const Turn* turn = times_.turn_at(core_, time);
    if (!turn) {  // code of nobody: it may belong to any thread near that time
      current_ = nullptr;
      unknown_ = true;
      return;
    }
    current_ = &parts_[turn];
    current_->turn = turn;
    current_->core = core_;
  }

  void executed(uint64_t address) override {
    ++result_.instructions;
    if (!current_ || current_->is_cut || !counts_(address)) return;
    current_->addresses.push_back(address);
  }

  void lost(uint64_t first, uint64_t last) override {
    ++result_.losses;
    for (const Turn* turn : times_.turns_between(core_, first, last)) {
      Part& part = parts_[turn];
      part.turn = turn;
      part.core = core_;
      part.is_cut = true;
    }
    current_ = nullptr;
  }

  std::map<const Turn*, Part>& parts() { return parts_; }
  bool has_unknown() const { return unknown_; }

 private:
  const uint32_t core_;
  const CoreTimes& times_;
  const std::function<bool(uint64_t)>& counts_;
  DecodedPaths& result_;
  std::map<const Turn*, Part> parts_;
  Part* current_ = nullptr;
  bool unknown_ = false;
};

const build::CodeMark* mark_at(const std::vector<build::CodeMark>& marks, uint64_t address) {
  const auto found = std::lower_bound(marks.begin(), marks.end(), address,
                                      [](const build::CodeMark& mark, uint64_t at) { return mark.address < at; });
  return found != marks.end() && found->address == address ? &*found : nullptr;
}

void add_part(const Part& part, const std::vector<build::CodeMark>& marks, ThreadPath& thread) {
  bool has_stored = false;
  for (const uint64_t address : part.addresses) {
    const build::CodeMark* mark = mark_at(marks, address);
    if (!mark) continue;
    if (!mark->is_store) {
      for (uint32_t bit = mark->width; bit-- > 0;) thread.path.append(mark->number >> bit & 1);
    } else if (!has_stored) {
      thread.changes.push_back({part.core, part.turn->came, mark->site, thread.path.size()});
      has_stored = true;
    }
  }
}

}  // namespace

base::Result<DecodedPaths> decode_paths(const Trace& trace, const std::vector<build::CodeMark>& marks,
                                        const InstructionSeen& seen) {
  auto image = CodeImage::load(trace.mappings);
  if (!image) return image.error();
  if (trace.lost_switches)
    return base::Error{"the kernel lost records of which thread ran on which core",
                       "record again, with fewer threads or larger buffers"};
  const CoreTimes times(trace.switches);
  if (!times.fits_together())
    return base::Error{"the kernel's records of which thread ran on which core do not fit together", "record again"};
  const std::function<bool(uint64_t)> counts = [&](uint64_t address) { return seen || mark_at(marks, address); };
  DecodedPaths result;
  std::vector<Part> parts;
  std::vector<CoreStream> streams = trace.streams;
  for (const uint32_t core : times.cores())  // where threads ran and nothing was traced, all is lost
    if (std::none_of(streams.begin(), streams.end(), [&](const CoreStream& stream) { return stream.core == core; }))
      streams.push_back({core, {"", ""}});
  for (const CoreStream& stream : streams) {
    PartsOfCore core(stream.core, times, counts, result);
    decode_core(stream, *image, core);
    if (core.has_unknown())
      return base::Error{"the processor's trace has code that ran while no thread was on the core",
                         "the trace and the kernel's records do not fit together"};
    for (auto& [turn, part] : core.parts()) parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(a.turn->thread, a.turn->came, a.core) < std::tie(b.turn->thread, b.turn->came, b.core);
  });
  for (const Part& part : parts) {
    ThreadPath& thread = result.threads[part.turn->thread];
    if (!thread.is_whole) continue;
    add_part(part, marks, thread);
    if (seen)
      for (const uint64_t address : part.addresses) seen(part.turn->thread, address);
    thread.is_whole = !part.is_cut;
  }
  return result;
}

}  // namespace heddle::record::pt
