// SPDX-License-Identifier: Apache-2.0
//
// Damaged trace files: cut anywhere, any bit flipped, chunks lost, doubled,
// swapped, forged. Whatever the reader says, it is never a wrong trace: it is an
// error, or a prefix of the trace that was written, or that trace itself.
#include <gtest/gtest.h>

#include "base/files.h"
#include "chunk_surgery.h"
#include "trace/reader.h"
#include "trace/writer.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

template <typename T>
bool is_prefix(const std::vector<T>& part, const std::vector<T>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// Empty, or how `read` is more or other than a part of `whole`.
std::string wrong_about(const base::Result<Trace>& read, const Trace& whole) {
  if (!read) return read.error().message.empty() ? "an error without a message" : "";
  if (read->complete) return *read == whole ? "" : "a wrong trace that claims to be complete";
  if (!(read->header == whole.header) && !(read->header == Header{})) return "a wrong header";
  if (!is_prefix(read->threads, whole.threads)) return "wrong threads";
  if (!is_prefix(read->sites, whole.sites)) return "wrong sites";
  if (!is_prefix(read->globals, whole.globals)) return "wrong globals";
  if (!is_prefix(read->events, whole.events)) return "wrong events";
  return read->damage.empty() ? "an incomplete trace without a word about it" : "";
}

std::string wrong_about_bytes(const std::string& bytes, const Trace& whole) {
  ReadOptions salvage;
  salvage.salvage = true;
  const std::string problem = wrong_about(read_trace_bytes(bytes, "file"), whole);
  return problem.empty() ? wrong_about(read_trace_bytes(bytes, "file", salvage), whole) : problem;
}

TEST(Damage, CutAnywhereKeepsWhatIsWhole) {
  const Trace whole = counter_trace();
  const std::string bytes = file_of(whole);
  size_t last_events = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto read = read_trace_bytes(bytes.substr(0, size), "file");
    EXPECT_EQ(wrong_about(read, whole), "") << "cut at " << size;
    EXPECT_EQ(static_cast<bool>(read), size >= kPreambleBytes) << "cut at " << size;
    if (!read) continue;
    EXPECT_FALSE(read->complete) << "cut at " << size;
    EXPECT_GE(read->events.size(), last_events) << "a longer file gives no fewer events, cut at " << size;
    last_events = read->events.size();
  }
  EXPECT_EQ(last_events, whole.events.size()) << "without its end chunk the trace has all events";
}

TEST(Damage, NoFlippedBitIsOverlooked) {
  const Trace whole = counter_trace();
  const std::string bytes = file_of(whole);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(read_trace_bytes(flipped, "file")) << "bit " << bit;
    EXPECT_EQ(wrong_about_bytes(flipped, whole), "") << "bit " << bit;
  }
}

TEST(Damage, SalvageGivesWhatComesBefore) {
  const Trace whole = counter_trace();
  std::string bytes = file_of(whole);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);  // in the end chunk: all events come before it
  ReadOptions options;
  options.salvage = true;
  const auto read = read_trace_bytes(bytes, "file", options);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->events, whole.events);
  EXPECT_FALSE(read->complete);
  EXPECT_NE(read->damage.find("checksum mismatch"), std::string::npos) << read->damage;
}

TEST(Damage, CutGroupKeepsTheOrderWithoutGaps) {
  // T0 has events 0, 2, 4, ..., its child the odd ones; the child's chunk is lost.
  TraceBuilder build;
  build.thread(0);
  for (uint32_t i = 0; i < 20; ++i) build.add(i % 2, HEDDLE_YIELD);
  std::vector<Chunk> chunks = take_apart(file_of(build.trace()));
  const size_t second = place_of(chunks, ChunkKind::kEvents) + 1;
  ASSERT_EQ(chunks[second].header.kind, ChunkKind::kEvents);
  chunks.resize(second);
  const auto read = read_trace_bytes(put_together(chunks), "file");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->events.size(), 1u);
  EXPECT_NE(read->damage.find("9 events after the first gap"), std::string::npos) << read->damage;
}

// Damage that is made on purpose, with correct checksums where it matters.
struct Case {
  std::string name;
  std::string message;  // a part of the error; empty: a prefix may be read
  std::function<std::string(std::vector<Chunk>)> make;
};

void PrintTo(const Case& damage, std::ostream* out) { *out << damage.name; }

class ForgedFile : public testing::TestWithParam<Case> {};

TEST_P(ForgedFile, IsRefusedOrAPrefix) {
  const Trace whole = counter_trace();
  const std::string bytes = GetParam().make(take_apart(file_of(whole)));
  const auto read = read_trace_bytes(bytes, "file");
  if (GetParam().message.empty()) {
    EXPECT_EQ(wrong_about(read, whole), "");
    return;
  }
  ASSERT_FALSE(read) << "was accepted";
  EXPECT_NE(read.error().message.find(GetParam().message), std::string::npos) << read.error().message;
  EXPECT_EQ(wrong_about_bytes(bytes, whole), "");
}

// The same things done to each chunk of the file.
std::vector<Case> cases_for_every_chunk() {
  std::vector<Case> cases;
  const std::vector<Chunk> sample = take_apart(file_of(counter_trace()));
  for (size_t i = 0; i < sample.size(); ++i) {
    const bool last = i + 1 == sample.size();
    const std::string chunk = "Chunk" + std::to_string(i);
    const auto add = [&](const char* what, const char* message, std::function<void(std::vector<Chunk>&)> change) {
      cases.push_back({chunk + what, message, [change](std::vector<Chunk> chunks) {
                         change(chunks);
                         return put_together(chunks);
                       }});
    };
    add("Lost", last ? "" : "stands in its place", [i](auto& chunks) { chunks.erase(chunks.begin() + long(i)); });
    add("Doubled", last ? "bytes follow the end" : "stands in its place",
        [i](auto& chunks) { chunks.insert(chunks.begin() + long(i), chunks[i]); });
    if (!last) {
      add("SwappedWithNext", "stands in its place", [i](auto& chunks) { std::swap(chunks[i], chunks[i + 1]); });
    }
    add("OfUnknownKind", "unknown chunk kind 99", [i](auto& chunks) { chunks[i].header.kind = ChunkKind(99); });
    add("OfKindZero", "unknown chunk kind 0", [i](auto& chunks) { chunks[i].header.kind = ChunkKind(0); });
    add("TooLong", "length out of range", [i](auto& chunks) { chunks[i].header.plain_bytes = kMaxPayload + 1; });
    add("LongerThanPlain", "length out of range", [i](auto& chunks) {
      chunks[i].stored += "xxxx";
      chunks[i].sealed = true;
      chunks[i].header.stored_bytes += 4;
    });
    add("ThatUnpacksToMore", "does not unpack", [i](auto& chunks) {
      chunks[i].pack();
      --chunks[i].header.plain_bytes;
    });
    add("ThatUnpacksToLess", "does not unpack", [i](auto& chunks) {
      chunks[i].pack();
      ++chunks[i].header.plain_bytes;
    });
    add("ThatIsABomb", "does not unpack", [i](auto& chunks) {
      chunks[i].plain = std::string(64 << 20, '\0');  // 64 MB of zeros in a few KB
      chunks[i].pack();
      chunks[i].header.plain_bytes = kMaxPayload;
    });
    add("Garbled", "checksum mismatch in its content", [i](auto& chunks) { chunks[i].header.payload_check ^= 1; });
    const bool events = sample[i].header.kind == ChunkKind::kEvents;
    add("WithThreadWhereNoneIs", "a thread where none belongs",
        [i, events](auto& chunks) { chunks[i].header.thread = events ? HEDDLE_NO_THREAD : 0; });
    add("CutInside", "file is damaged", [i](auto& chunks) { chunks[i].plain.pop_back(); });
    add("WithMore", "file is damaged", [i](auto& chunks) { chunks[i].plain += std::string(3, '\xff'); });
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(EveryChunk, ForgedFile, testing::ValuesIn(cases_for_every_chunk()),
                         [](const auto& info) { return info.param.name; });

std::vector<Case> special_cases();
INSTANTIATE_TEST_SUITE_P(Special, ForgedFile, testing::ValuesIn(special_cases()),
                         [](const auto& info) { return info.param.name; });

// A change of one chunk's content.
Case in(ChunkKind kind, const char* name, const char* message, std::function<void(Chunk&)> change) {
  return {name, message, [kind, change](std::vector<Chunk> chunks) {
            change(chunks[place_of(chunks, kind)]);
            return put_together(chunks);
          }};
}

std::string with_version(uint32_t version) {
  std::string bytes(kMagic);
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(version >> (8 * i)));
  const uint64_t check = base::hash_bytes(bytes);
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(check >> (8 * i)));
  return bytes;
}

// An event chunk that holds this one event.
void only_event(Chunk& chunk, HeddleRecord record, uint64_t sequence = 0) {
  auto encoder = std::make_unique<EventEncoder>();
  unsigned char bytes[kMaxEventBytes];
  encoder->begin(bytes, sizeof bytes, false);
  encoder->append(record, sequence);
  chunk.plain.assign(reinterpret_cast<const char*>(bytes), encoder->size());
}

std::vector<Case> special_cases() {
  using Kind = ChunkKind;
  const auto bytes = [](const char* name, const char* message, std::string content) {
    return Case{name, message, [content](const std::vector<Chunk>&) { return content; }};
  };
  const auto text = [](auto... numbers) { return std::string{static_cast<char>(numbers)...}; };
  return {
      bytes("Empty", "bad magic", ""),
      bytes("OfAnotherFormat", "bad magic",
            "\x7f"
            "ELF and so on, much longer than a preamble"),
      bytes("OnlyMagic", "breaks off", std::string(kMagic)),
      bytes("OfVersionZero", "format version is 0", with_version(0)),
      bytes("OfTheNextVersion", "format version is 2", with_version(2)),
      bytes("OfTheLastVersion", "format version is 4294967295", with_version(0xffffffff)),
      bytes("WithZerosForChunks", "checksum mismatch in its header", with_version(1) + std::string(500, '\0')),
      in(Kind::kHeader, "ModeOutOfRange", "out of range", [=](Chunk& c) { c.plain = text(0, 0, 2, 0, 0, 0, 0); }),
      in(Kind::kHeader, "TextLongerThanChunk", "cut off", [=](Chunk& c) { c.plain = text(9, 0, 0, 0, 0, 0, 0); }),
      in(Kind::kHeader, "TextOfHugeLength", "out of range",
         [](Chunk& c) { c.plain = std::string(9, '\xff') + '\x01' + std::string(9, '\0'); }),
      in(Kind::kHeader, "NumberOfElevenBytes", "out of range",
         [](Chunk& c) { c.plain = std::string(11, '\x80') + std::string(9, '\0'); }),
      in(Kind::kHeader, "InstrumentationTooLarge", "out of range",
         [=](Chunk& c) { c.plain = text(0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 1); }),
      in(Kind::kThreads, "ThreadThatIsItsOwnParent", "not created before it",
         [=](Chunk& c) { c.plain = text(0, 0, 2, 0); }),
      in(Kind::kThreads, "ThreadsInACycle", "not created before it",
         [=](Chunk& c) { c.plain = text(0, 0, 3, 0, 2, 0); }),
      in(Kind::kThreads, "FirstThreadWithParent", "thread 0 has a parent", [=](Chunk& c) { c.plain = text(1, 0); }),
      in(Kind::kThreads, "TwoRoots", "not created before it", [=](Chunk& c) { c.plain = text(0, 0, 0, 0); }),
      in(Kind::kThreads, "TwoThreadsOfOneName", "as one before it",
         [=](Chunk& c) { c.plain = text(0, 0, 1, 5, 1, 5); }),
      in(Kind::kThreads, "ThreadsTooDeep", "nested deeper",
         [](Chunk& c) {
           c.plain = std::string(2, '\0');
           for (uint32_t parent = 1; parent < 5000; ++parent) {
             c.plain += static_cast<char>(parent | 0x80);
             c.plain += static_cast<char>(parent >> 7 & 0x7f);
             c.plain += '\0';
           }
         }),
      in(Kind::kEvents, "EventOfUnknownThread", "thread 77 is not in the table",
         [](Chunk& c) { c.header.thread = 77; }),
      in(Kind::kEvents, "EventOfUnknownSite", "site 1000 is not in the table",
         [](Chunk& c) { only_event(c, {HEDDLE_LOAD, 4, 0, 0, 0, 0, 1000, 8, 0, 0}); }),
      in(Kind::kEvents, "EventOfUnknownKind", "kind 126 is not",
         [](Chunk& c) { only_event(c, {126, 0, 0, 0, 0, 0, 0, 0, 0, 0}); }),
      in(Kind::kEvents, "EventOfKindNone", "kind 0 is not",
         [](Chunk& c) { only_event(c, {0, 4, 0, 0, 0, 0, 0, 0, 0, 0}); }),
      in(Kind::kEvents, "EventThatIsAFrame", "kind 240 is not",
         [](Chunk& c) { only_event(c, {HEDDLE_FRAME_RUN_BEGIN, 0, 0, 0, 0, 0, 0, 0, 0, 0}); }),
      in(Kind::kEvents, "EventOfUnknownOrder", "order 7 is not",
         [](Chunk& c) { only_event(c, {HEDDLE_LOAD, 4, 7, 0, 0, 0, 0, 8, 0, 0}); }),
      in(Kind::kEvents, "EventWithLastNumber", "does not rise",
         [](Chunk& c) { only_event(c, {HEDDLE_YIELD, 0, 0, 0, 0, 0, 0, 0, 0, 0}, UINT64_MAX); }),
      in(Kind::kEvents, "EventsTooMany", "too many events",
         [](Chunk& c) {
           // Twice the same event, so that all further guesses are that event.
           only_event(c, {HEDDLE_YIELD, 0, 0, 0, 0, 0, 0, 0, 0, 0});
           c.plain += std::string("\x01\x00", 2) + std::string(600, '\xff');
         }),
      in(Kind::kEvents, "EventsMissing", "events should be in the file",
         [](Chunk& c) { only_event(c, {HEDDLE_YIELD, 0, 0, 0, 0, 0, 0, 0, 0, 0}); }),
      in(Kind::kEvents, "EventMarkedZero", "outside a run", [](Chunk& c) { c.plain[0] = '\0'; }),
      in(Kind::kEvents, "EventSiteTooFar", "site is out of range",
         [](Chunk& c) { c.plain = "\x01" + std::string(6, '\xff') + '\x01'; }),
      in(Kind::kEvents, "EventIndexTooLarge", "too large",
         [](Chunk& c) { c.plain = "\x04" + std::string(6, '\xff') + '\x01'; }),
      in(Kind::kCheckpoint, "CheckpointOfOtherCount", "should be in the file up to here",
         [](Chunk& c) { ++c.plain[0]; }),
      in(Kind::kCheckpoint, "CheckpointOfOtherNumber", "last number of the group", [](Chunk& c) { ++c.plain[1]; }),
      in(Kind::kEnd, "EndOfOtherCount", "should be in the file", [](Chunk& c) { ++c.plain.back(); }),
      in(Kind::kEnd, "EndOfUnknownOutcome", "out of range", [](Chunk& c) { c.plain[0] = 10; }),
      Case{"CheckpointForgotten", "has no checkpoint",
           [](std::vector<Chunk> chunks) {
             chunks.erase(chunks.begin() + long(place_of(chunks, Kind::kCheckpoint)));
             return put_together(renumbered(chunks));
           }},
      Case{"TwoHeaders", "a second header",
           [](std::vector<Chunk> chunks) {
             chunks.insert(chunks.begin(), chunks[0]);
             return put_together(renumbered(chunks));
           }},
      Case{"NoHeader", "not the header",
           [](std::vector<Chunk> chunks) {
             chunks.erase(chunks.begin());
             return put_together(renumbered(chunks));
           }},
      Case{"EventsBeforeThreads", "not in the table",
           [](std::vector<Chunk> chunks) {
             std::swap(chunks[place_of(chunks, Kind::kThreads)], chunks[place_of(chunks, Kind::kEvents)]);
             return put_together(renumbered(chunks));
           }},
      Case{"ThreadsChunksSwapped", "",
           [](std::vector<Chunk> chunks) {
             const size_t first = place_of(chunks, Kind::kEvents);
             std::swap(chunks[first], chunks[first + 1]);  // of two threads: no harm
             return put_together(renumbered(chunks));
           }},
      Case{"EventsOfAThreadTwice", "does not rise",
           [](std::vector<Chunk> chunks) {
             const size_t first = place_of(chunks, Kind::kEvents);
             chunks.insert(chunks.begin() + long(first), chunks[first]);
             return put_together(renumbered(chunks));
           }},
      Case{"EventsGivenToAnotherThread", "two events have the number",
           [](std::vector<Chunk> chunks) {
             const size_t first = place_of(chunks, Kind::kEvents);
             chunks[first + 1].plain = chunks[first].plain;  // one more than it had
             ++chunks[first + 2].plain[0];                   // and the checkpoint knows
             return put_together(chunks);
           }},
      Case{"BytesAfterTheEnd", "bytes follow the end",
           [](const std::vector<Chunk>& chunks) { return put_together(chunks) + "x"; }},
      Case{"HeaderGarbled", "checksum mismatch in its header",
           [](const std::vector<Chunk>& chunks) {
             std::string whole = put_together(chunks);
             whole[kPreambleBytes + 28] = static_cast<char>(whole[kPreambleBytes + 28] + 1);
             return whole;
           }},
  };
}

}  // namespace
}  // namespace heddle::trace
