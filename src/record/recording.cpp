// SPDX-License-Identifier: Apache-2.0
#include "record/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "base/files.h"
#include "record/facts.h"
#include "record/streams.h"

namespace heddle::record {
namespace {

constexpr size_t kDeepest = 1000;  // generations of threads
constexpr uint64_t kMostBytesRead = 16ull << 30;

template <typename T>
T copy_of(std::string_view bytes, uint64_t offset) {
  T value;
  std::memcpy(static_cast<void*>(&value), bytes.data() + offset, sizeof value);
  return value;
}

class Reader {
 public:
  Reader(std::string_view bytes, const HeddleRecording& head, Recording& recording)
      : bytes_(bytes), head_(head), recording_(recording) {}

  void read() {
    read_records();
    streams_ =
        collect_streams(bytes_.substr(head_.chunks_offset), std::min(head_.chunks, head_.all_chunks), head_.keeps_last);
    for (Thread& thread : recording_.threads) read_streams(thread);
    find_stretches();
    find_stamps();
    read_failure();
  }

 private:
  void remark(std::string text) { recording_.remarks.push_back(std::move(text)); }

  void read_records() {
    const uint64_t count = std::min({head_.threads, uint64_t{HEDDLE_MOST_RECORDED},
                                     (head_.chunks_offset - head_.threads_offset) / sizeof(HeddlePath)});
    std::vector<size_t> depth;
    for (uint64_t i = 0; i < count; ++i) {
      const auto record = copy_of<HeddlePath>(bytes_, head_.threads_offset + i * sizeof(HeddlePath));
      const bool is_first = i == 0 && record.parent == HEDDLE_NO_RECORD;
      Thread thread;
      thread.number = static_cast<uint32_t>(i);
      thread.parent = record.parent;
      thread.child_number = record.child_number;
      thread.process_thread = record.process_thread;
      thread.ended = record.state == HEDDLE_RECORD_ENDED;
      thread.site = record.site;
      thread.is_handler = record.child_number >= HEDDLE_HANDLER_RECORD && record.child_number < HEDDLE_FOREIGN_RECORD;
      depth.push_back(is_first ? 0 : record.parent < i ? depth[record.parent] + 1 : kDeepest);
      // A record that was never used is none; numbers stay.
      thread.is_recorded =
          record.state != HEDDLE_RECORD_UNUSED && (is_first || (record.parent < i && depth.back() < kDeepest));
      if (is_first) thread.name = "T0";
      if (thread.is_recorded && !is_first) thread.name = name_of(thread);
      if (!thread.is_recorded && record.state != HEDDLE_RECORD_UNUSED) remark(fmt::format("record {} is damaged", i));
      recording_.threads.push_back(std::move(thread));
      records_.push_back(record);
    }
    if (head_.threads > HEDDLE_MOST_RECORDED)
      remark(fmt::format("only the first {} threads were recorded", HEDDLE_MOST_RECORDED));
  }

  std::string name_of(const Thread& thread) const {
    const std::string& parent = recording_.threads[thread.parent].name;
    if (thread.is_handler) return fmt::format("{}.h{}", parent, thread.child_number - HEDDLE_HANDLER_RECORD);
    if (thread.child_number >= HEDDLE_FOREIGN_RECORD)
      return fmt::format("{}.f{}", parent, thread.child_number - HEDDLE_FOREIGN_RECORD);
    return fmt::format("{}.{}", parent, thread.child_number);
  }

  void read_streams(Thread& thread) {
    if (!thread.is_recorded) return;
    const HeddlePath& record = records_[thread.number];
    const Stream& notes = streams_[{thread.number, HEDDLE_STREAM_NOTES}];
    const Stream& path = streams_[{thread.number, HEDDLE_STREAM_PATH}];
    DecodedPath decoded(path, record);
    const bool sound = decode_notes(notes, head_.values, thread.notes);
    if (!sound) remark(fmt::format("the notes of {} are damaged", thread.name));
    thread.was_seen_late = record.flags & HEDDLE_RECORD_LATE;
    thread.lacks_first_notes = !notes.from_beginning;
    thread.skipped = decoded.skipped();
    thread.from_beginning = path.from_beginning && notes.from_beginning && !thread.was_seen_late;
    thread.to_end =
        decoded.is_whole() && sound && notes.whole && !(record.flags & HEDDLE_RECORD_CUT << HEDDLE_STREAM_NOTES);
    thread.ended = thread.ended && thread.to_end;  // of its end nothing is known
    take_values(thread, notes, record);
    uint64_t words = 0;  // that were full
    for (Note& note : thread.notes) {
      if (note.kind == NoteKind::kStamp && note.value == HEDDLE_STAMP_WORD)
        note.position = decoded.bit_at(64 * ++words);
      if (note.kind == NoteKind::kStamp && note.value == HEDDLE_STAMP_END) note.position = decoded.path().size();
      if (note.kind == NoteKind::kCore && decoded.lies_before(note.position)) note.site = 0;
      if (note.kind == NoteKind::kCreated || note.kind == NoteKind::kCore)
        note.position = decoded.bit_at(note.position);
      if (note.kind == NoteKind::kCreated && note.value >= recording_.threads.size()) note.value = HEDDLE_NO_RECORD;
    }
    thread.path = std::move(decoded.path());
    if (thread.skipped)
      remark(fmt::format("the beginning of {} is not there: {} branches", thread.name, thread.skipped));
    if (thread.lacks_first_notes) remark(fmt::format("the first notes of {} are not there", thread.name));
    if (!thread.from_beginning && !thread.skipped && !thread.lacks_first_notes)
      remark(fmt::format("the beginning of {} is not there", thread.name));
    if (!thread.to_end) remark(fmt::format("the end of {} is not there", thread.name));
  }

  // From one change of core to the next.
  void find_stretches() {
    recording_.has_cores = head_.cores == HEDDLE_CORES_MARKED;
    if (!recording_.has_cores) return;
    for (const Thread& thread : recording_.threads) {
      Stretch* open = nullptr;
      std::vector<Stretch> own;
      own.reserve(thread.notes.size());
      for (const Note& note : thread.notes) {
        if (note.kind != NoteKind::kCore) continue;
        const bool is_dropped = thread.skipped != 0 && note.position == 0 && note.site == 0;
        if (open && is_dropped) own.pop_back();  // all of it came before what is there of the path
        if (open && !is_dropped) std::tie(open->end, open->end_site) = std::pair(note.position, note.site);
        own.push_back({thread.number, static_cast<uint32_t>(note.value), note.position, thread.path.size(), note.site,
                       0, note.second});
        open = &own.back();
      }
      recording_.stretches.insert(recording_.stretches.end(), own.begin(), own.end());
    }
    std::sort(recording_.stretches.begin(), recording_.stretches.end(), [](const Stretch& a, const Stretch& b) {
      return std::tie(a.core, a.time, a.thread, a.begin) < std::tie(b.core, b.time, b.thread, b.begin);
    });
  }

  // Notes of values become a row of checks. Which read each belongs to is known from the beginning on only.
  void take_values(Thread& thread, const Stream& notes, const HeddlePath& record) {
    constexpr int kBits = HEDDLE_VALUE_BITS;
    const auto add = [&](uint64_t word) {
      for (int shift = std::bit_width(word) - 1 - kBits; shift >= 0; shift -= kBits)
        thread.values.push_back(static_cast<uint32_t>(word >> shift & ((1u << kBits) - 1)));
    };
    const bool is_moving = !thread.notes.empty() && thread.notes.back().kind == NoteKind::kValues &&
                           record.stream[HEDDLE_STREAM_NOTES].words != notes.end();
    for (const Note& note : thread.notes)
      if (note.kind == NoteKind::kValues) add(note.value);
    std::erase_if(thread.notes, [](const Note& note) { return note.kind == NoteKind::kValues; });
    if (!thread.from_beginning || !head_.values) return thread.values.clear();
    if (thread.to_end && !is_moving && are_values(record.values)) add(record.values);
  }

  // Where the times of a thread do not grow, something is wrong with the clock or the file: its stamps end there.
  void find_stamps() {
    recording_.stamp_margin = head_.stamps ? head_.stamp_margin : 0;
    if (recording_.stamp_margin == 0) return;
    for (Thread& thread : recording_.threads) {
      // Where branches are missing, places of the path are not what the thread took them for.
      if (thread.is_handler || !thread.from_beginning || !thread.to_end) continue;
      for (const Note& note : thread.notes) {
        const bool is_stamp = note.kind == NoteKind::kStamp;
        if (!is_stamp && (note.kind != NoteKind::kCore || note.site == 0)) continue;
        Stamp stamp = {note.position, note.position + 1, is_stamp ? 0 : note.site, note.second};
        if (is_stamp && note.value == HEDDLE_STAMP_BEGIN) stamp.before = stamp.after = 0;
        if (is_stamp && note.value == HEDDLE_STAMP_END) stamp.before = stamp.after;
        const Stamp last = thread.stamps.empty() ? Stamp() : thread.stamps.back();
        if (stamp.time < last.time || stamp.before < last.before) {
          remark(fmt::format("the time stamps of {} go back", thread.name));
          break;
        }
        thread.stamps.push_back(stamp);
      }
    }
  }

  void read_failure() {
    const HeddleRecordedFailure& seen = head_.failure;
    // A program may live on after a signal that it handled.
    const bool ended_by_it = recording_.ending == Ending::kUnfinished ||
                             (recording_.ending == Ending::kSignalled && recording_.status == seen.signal);
    if (!seen.seen || !ended_by_it || seen.thread >= recording_.threads.size()) return;
    recording_.failure = Failure{seen.thread, seen.signal, seen.code, seen.address, seen.instruction, seen.site};
  }

  const std::string_view bytes_;
  const HeddleRecording& head_;
  Recording& recording_;
  std::vector<HeddlePath> records_;
  Streams streams_;
};

}  // namespace

const Thread* Recording::find_thread(std::string_view name) const {
  for (const Thread& thread : threads)
    if (thread.is_recorded && thread.name == name) return &thread;
  return nullptr;
}

namespace {

template <typename Wanted>
std::string names_of(const std::vector<Thread>& threads, Wanted is_wanted) {
  std::string names;
  for (const Thread& thread : threads)
    if (thread.is_recorded && !thread.is_handler && is_wanted(thread))
      names += (names.empty() ? "" : ", ") + thread.name;
  return names;
}

}  // namespace

std::string Recording::without_beginning() const {
  return names_of(threads, [](const Thread& thread) { return !thread.from_beginning; });
}

std::string Recording::seen_late() const {
  return names_of(threads, [](const Thread& thread) { return thread.was_seen_late; });
}

std::string Recording::without_first_notes() const {
  return names_of(threads, [](const Thread& thread) { return thread.lacks_first_notes; });
}

std::string Recording::function_at(uint64_t address) const {
  auto after =
      std::upper_bound(facts.functions.begin(), facts.functions.end(), address,
                       [](uint64_t wanted, const FunctionRange& function) { return wanted < function.address; });
  if (after == facts.functions.begin()) return "";
  --after;
  return address - after->address < std::max<uint64_t>(after->size, 1) ? after->name : "";
}

base::Result<Recording> parse_recording(std::string_view bytes, const std::string& name) {
  const auto damaged = [&](const char* why) {
    return base::Error{fmt::format("{}: {}", name, why), "record the program again"};
  };
  if (bytes.size() < sizeof(HeddleRecording)) return damaged("not a recording: too short");
  const auto head = copy_of<HeddleRecording>(bytes, 0);
  if (head.magic != HEDDLE_RECORDING_MAGIC) return damaged("not a recording");
  if (head.version != HEDDLE_RECORDING_VERSION)
    return damaged(
        fmt::format("a recording of form {}, this Heddle reads form {}", head.version, HEDDLE_RECORDING_VERSION)
            .c_str());
  if (head.values > 1) return damaged("the recording is damaged: it neither has values nor lacks them");
  const bool in_order = head.facts_offset >= sizeof(HeddleRecording) && head.facts_bytes <= bytes.size() &&
                        head.facts_offset <= bytes.size() - head.facts_bytes &&
                        head.threads_offset >= head.facts_offset + head.facts_bytes &&
                        head.chunks_offset >= head.threads_offset && head.chunks_offset <= bytes.size();
  if (!in_order) return damaged("the recording is damaged: its parts do not lie within the file");
  const std::string_view facts = bytes.substr(head.facts_offset, head.facts_bytes);
  auto known = base::hash_bytes(facts) == head.facts_hash ? read_facts(facts) : std::nullopt;
  if (!known) return damaged("the recording is damaged: what it says about the program cannot be read");

  Recording recording;
  recording.facts = std::move(*known);
  recording.instrumentation = head.instrumentation;
  recording.ending = head.ending <= HEDDLE_RECORDING_TIMED_OUT ? static_cast<Ending>(head.ending) : Ending::kUnfinished;
  recording.status = head.status;
  recording.stopped = static_cast<int>(head.stopped);
  recording.forked = head.forked;
  recording.has_values = head.values != 0;
  if (head.stopped)
    recording.remarks.push_back(
        fmt::format("recording stopped before the program did: {}", std::strerror(recording.stopped)));
  if (recording.ending == Ending::kUnfinished)
    recording.remarks.push_back("the recorder was killed before the program ended");
  if (head.forked) recording.remarks.push_back(fmt::format("{} child processes were not recorded", head.forked));
  Reader(bytes, head, recording).read();
  return recording;
}

base::Result<Recording> read_recording(const std::string& path) {
  std::error_code failed;
  const std::string file = std::filesystem::is_directory(path, failed) ? path + "/recording" : path;
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return base::Error{fmt::format("cannot open {}", file),
                       "give the number or the directory of a run of heddle record"};
  std::string bytes(sizeof(HeddleRecording), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  if (bytes.size() < sizeof(HeddleRecording)) return parse_recording(bytes, file);
  // A file that nobody finished is much longer than what is in it.
  const auto head = copy_of<HeddleRecording>(bytes, 0);
  const uint64_t length = std::filesystem::file_size(file, failed);
  const uint64_t chunks = std::min({head.chunks, head.all_chunks, length / HEDDLE_RECORDED_CHUNK_BYTES + 1});
  const uint64_t used = std::min(length, std::min(head.chunks_offset, length) + chunks * HEDDLE_RECORDED_CHUNK_BYTES);
  if (failed || used < bytes.size()) return parse_recording(bytes, file);
  if (used > kMostBytesRead)
    return base::Error{fmt::format("{} is too large to be read", file), "record again, with --keep-last"};
  bytes.resize(used);
  in.read(bytes.data() + sizeof(HeddleRecording), static_cast<std::streamsize>(used - sizeof(HeddleRecording)));
  if (static_cast<uint64_t>(in.gcount()) != used - sizeof(HeddleRecording))
    return base::Error{fmt::format("cannot read {}", file), ""};
  return parse_recording(bytes, file);
}

}  // namespace heddle::record
