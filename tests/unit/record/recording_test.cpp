// SPDX-License-Identifier: Apache-2.0
//
// The reader of recordings, on files made here by hand: the writer shares no code with it.
#include "record/recording.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/files.h"
#include "record/facts.h"

namespace heddle::record {
namespace {

// A file laid out by hand.
class Made {
 public:
  explicit Made(uint64_t threads) : bytes_(kChunks, '\0') {
    Facts facts;
    facts.program = "made";
    facts.arguments = {"a", "b"};
    facts.functions = {{"main", 0x1000, 0x100}};
    const std::string text = write_facts(facts);
    bytes_.replace(kFacts, text.size(), text);
    head_.magic = HEDDLE_RECORDING_MAGIC;
    head_.version = HEDDLE_RECORDING_VERSION;
    head_.facts_offset = kFacts;
    head_.facts_bytes = text.size();
    head_.facts_hash = base::hash_bytes(text);
    head_.threads_offset = kThreads;
    head_.chunks_offset = kChunks;
    head_.most_chunks = head_.all_chunks = 1000;
    head_.threads = threads;
    head_.ending = HEDDLE_RECORDING_EXITED;
  }

  HeddleRecording& head() { return head_; }
  void record(uint32_t number, const HeddlePath& record) {
    std::memcpy(bytes_.data() + kThreads + number * sizeof record, &record, sizeof record);
  }
  void chunk(uint32_t thread, uint32_t stream, uint64_t order, uint64_t first, const std::vector<uint64_t>& words,
             uint64_t bits = 0) {
    HeddleRecordedChunk chunk = {};
    chunk.magic = HEDDLE_CHUNK_MAGIC;
    chunk.thread = thread;
    chunk.stream = stream;
    chunk.order = order;
    chunk.first = first;
    chunk.bits = bits;
    chunk.used = static_cast<uint32_t>(words.size());
    std::string whole(HEDDLE_RECORDED_CHUNK_BYTES, '\0');
    std::memcpy(whole.data(), &chunk, sizeof chunk);
    std::memcpy(whole.data() + sizeof chunk, words.data(), words.size() * 8);
    bytes_ += whole;
    ++head_.chunks;
  }
  std::string bytes() {
    std::memcpy(bytes_.data(), &head_, sizeof head_);
    return bytes_;
  }

 private:
  static constexpr uint64_t kFacts = 4096, kThreads = 8192, kChunks = 8192 + 16 * sizeof(HeddlePath);
  HeddleRecording head_ = {};
  std::string bytes_;
};

HeddlePath path_record(uint32_t parent, uint32_t child, uint64_t word, uint64_t words, uint64_t note_words = 0) {
  HeddlePath record = {};
  record.state = HEDDLE_RECORD_RUNS;
  record.parent = parent;
  record.child_number = child;
  record.word = word;
  record.stream[HEDDLE_STREAM_PATH].words = words;
  record.stream[HEDDLE_STREAM_NOTES].words = note_words;
  record.interrupted = HEDDLE_NO_RECORD;
  return record;
}

std::string bits_of(const Path& path) {
  std::string text;
  for (uint64_t i = 0; i < path.size(); ++i) text += path[i] ? '1' : '0';
  return text;
}

TEST(Recording, WordsGiveTheirBitsInOrder) {
  Made made(1);
  made.chunk(0, HEDDLE_STREAM_PATH, 0, 0, {0b1101, 0b10});      // 101, 0
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 0b1011, 2));  // 011
  const auto recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording) << recording.error().message;
  ASSERT_EQ(recording->threads.size(), 1u);
  EXPECT_EQ(recording->threads[0].name, "T0");
  EXPECT_EQ(bits_of(recording->threads[0].path), "1010011");
  EXPECT_TRUE(recording->threads[0].from_beginning);
  EXPECT_TRUE(recording->threads[0].to_end);
  EXPECT_TRUE(recording->remarks.empty());
  EXPECT_EQ(recording->facts.arguments.size(), 2u);
  EXPECT_EQ(recording->function_at(0x10ff), "main");
  EXPECT_EQ(recording->function_at(0x1100), "");
}

TEST(Recording, AWordThatIsBeingMovedCountsOnce) {
  Made made(1);
  made.chunk(0, HEDDLE_STREAM_PATH, 0, 0, {0b1101, 0b1011});
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 0b1011, 1));  // in the chunk, not counted yet
  const auto recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording);
  EXPECT_EQ(bits_of(recording->threads[0].path), "101011");
  EXPECT_TRUE(recording->threads[0].to_end);
}

TEST(Recording, ThreadsAreNamedByWhoCreatedThem) {
  Made made(5);
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 1, 0));
  made.record(1, path_record(0, 0, 1, 0));
  made.record(2, path_record(1, 3, 1, 0));
  made.record(3, path_record(1, HEDDLE_HANDLER_RECORD, 1, 0));
  made.record(4, path_record(0, HEDDLE_FOREIGN_RECORD + 2, 1, 0));
  const auto recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording);
  std::vector<std::string> names;
  for (const Thread& thread : recording->threads) names.push_back(thread.name);
  EXPECT_EQ(names, (std::vector<std::string>{"T0", "T0.0", "T0.0.3", "T0.0.h0", "T0.f2"}));
  EXPECT_TRUE(recording->threads[3].is_handler);
  EXPECT_EQ(recording->find_thread("T0.0.3"), &recording->threads[2]);
}

TEST(Recording, NotesAndStretches) {
  Made made(1);
  made.head().cores = HEDDLE_CORES_MARKED;
  made.chunk(0, HEDDLE_STREAM_PATH, 0, 0, {0b1101});
  const std::vector<uint64_t> notes = {
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 0),
      0,
      7,
      100,  // core 7 from the beginning
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_BYTES, 3, 17),
      0x5000,
      5,
      0x6f6c6c6568,  // "hello"
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_RESULT, 1, 17),
      5,
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 21),
      64 + 1,
      3,
      200,
  };
  made.chunk(0, HEDDLE_STREAM_NOTES, 0, 0, notes);
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 0b110, 1, notes.size()));
  const auto recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording);
  const std::vector<Note>& read = recording->threads[0].notes;
  ASSERT_EQ(read.size(), 4u);
  EXPECT_EQ(read[1].bytes, "hello");
  EXPECT_EQ(read[1].second, 0x5000u);
  EXPECT_EQ(read[2].site, 17u);
  EXPECT_EQ(read[2].value, 5u);
  ASSERT_EQ(recording->stretches.size(), 2u);
  EXPECT_EQ(recording->stretches[0].core, 3u);  // by core
  EXPECT_EQ(recording->stretches[0].begin, 4u);
  EXPECT_EQ(recording->stretches[0].end, 5u);
  EXPECT_EQ(recording->stretches[1].end, 4u);
  EXPECT_EQ(recording->stretches[1].end_site, 21u);
}

// One word of three bits, and a second with two.
std::string stamped(uint64_t margin, const std::vector<uint64_t>& notes, uint32_t flags = 0) {
  Made made(1);
  made.head().cores = HEDDLE_CORES_MARKED;
  made.head().stamps = 1;
  made.head().stamp_margin = margin;
  made.chunk(0, HEDDLE_STREAM_PATH, 0, 0, {0b1101});
  made.chunk(0, HEDDLE_STREAM_NOTES, 0, 0, notes);
  HeddlePath record = path_record(HEDDLE_NO_RECORD, 0, 0b110, 1, notes.size());
  record.flags = flags;
  made.record(0, record);
  return made.bytes();
}

TEST(Recording, StampsSayWhatWasDoneByThen) {
  const std::vector<uint64_t> notes = {
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, HEDDLE_STAMP_BEGIN),
      100,
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 0),
      0,
      7,
      110,  // where it began: says no more than that
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, HEDDLE_STAMP_WORD),
      200,
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 21),
      64 + 1,
      3,
      300,
      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, HEDDLE_STAMP_END),
      400,
  };
  const auto recording = parse_recording(stamped(50, notes), "made");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->stamp_margin, 50u);
  const std::vector<Stamp>& stamps = recording->threads[0].stamps;
  const auto is = [&](size_t i, uint64_t before, uint64_t after, uint32_t site, uint64_t time) {
    return stamps[i].before == before && stamps[i].after == after && stamps[i].site == site && stamps[i].time == time;
  };
  ASSERT_EQ(stamps.size(), 4u);
  EXPECT_TRUE(is(0, 0, 0, 0, 100));
  EXPECT_TRUE(is(1, 3, 4, 0, 200));
  EXPECT_TRUE(is(2, 4, 5, 21, 300));
  EXPECT_TRUE(is(3, 6, 6, 0, 400));
  EXPECT_TRUE(parse_recording(stamped(0, notes), "made")->threads[0].stamps.empty());
  EXPECT_TRUE(parse_recording(stamped(50, notes, HEDDLE_RECORD_CUT), "made")->threads[0].stamps.empty());
}

TEST(Recording, StampsThatCannotBeAreLeftOut) {
  const std::vector<uint64_t> back = {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, HEDDLE_STAMP_BEGIN), 100,
                                      HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, HEDDLE_STAMP_WORD), 99};
  const auto recording = parse_recording(stamped(50, back), "made");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->threads[0].stamps.size(), 1u);
  EXPECT_EQ(recording->remarks, std::vector<std::string>{"the time stamps of T0 go back"});
  const auto damaged =
      parse_recording(stamped(50, {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, HEDDLE_STAMP_END + 1), 100}), "made");
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(damaged->threads[0].stamps.empty() && !damaged->threads[0].to_end);
}

// Six values that were read: three in a note, two in another, one in no note yet.
std::string with_values(uint64_t second, uint64_t pending, uint64_t notes_counted = 4) {
  Made made(1);
  made.head().values = 1;
  const uint64_t full = 1ull << 54 | 1ull << 36 | 2ull << 18 | 3;
  made.chunk(0, HEDDLE_STREAM_NOTES, 0, 0,
             {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_VALUES, 1, 0), full, HEDDLE_NOTE_HEAD(HEDDLE_NOTE_VALUES, 1, 0), second});
  HeddlePath record = path_record(HEDDLE_NO_RECORD, 0, 0b110, 0, notes_counted);
  record.values = pending;
  made.record(0, record);
  return made.bytes();
}

TEST(Recording, ChecksOfValuesAreInTheOrderOfReads) {
  const uint64_t two = 1ull << 36 | 4ull << 18 | 5, one = 1ull << 18 | 0x3ffff;
  const auto recording = parse_recording(with_values(two, one), "made");
  ASSERT_TRUE(recording);
  EXPECT_TRUE(recording->has_values);
  EXPECT_EQ(recording->threads[0].values, (std::vector<uint32_t>{1, 2, 3, 4, 5, 0x3ffff}));
  EXPECT_TRUE(recording->threads[0].notes.empty());
  // The word was just being made a note: it is in both places.
  EXPECT_EQ(parse_recording(with_values(two, two, 2), "made")->threads[0].values,
            (std::vector<uint32_t>{1, 2, 3, 4, 5}));
}

TEST(Recording, ValuesThatCannotBeAreLeftOut) {
  const auto damaged = parse_recording(with_values(1ull << 20, HEDDLE_VALUES_EMPTY), "made");
  ASSERT_TRUE(damaged);
  EXPECT_EQ(damaged->threads[0].values, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_FALSE(damaged->threads[0].to_end);
  EXPECT_LT(check_of(~0ull), 1u << HEDDLE_VALUE_BITS);
}

TEST(Recording, AGapCutsAStream) {
  Made made(1);
  made.chunk(0, HEDDLE_STREAM_PATH, 0, 0, {0b11});
  made.chunk(0, HEDDLE_STREAM_PATH, 2, 2, {0b10});  // order 1 is missing
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 1, 3));
  auto recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording);
  EXPECT_EQ(bits_of(recording->threads[0].path), "1");
  EXPECT_FALSE(recording->threads[0].to_end);
  made.head().keeps_last = 1;  // then the newest is what is wanted
  recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording);
  EXPECT_EQ(bits_of(recording->threads[0].path), "0");
  EXPECT_TRUE(recording->threads[0].to_end);
  EXPECT_FALSE(recording->threads[0].from_beginning);
}

TEST(Recording, SaysHowManyBranchesWereDropped) {
  Made made(1);
  made.head().keeps_last = 1;
  made.head().cores = HEDDLE_CORES_MARKED;
  made.chunk(0, HEDDLE_STREAM_PATH, 7, 10, {0b11, 0b101}, 600);
  made.chunk(0, HEDDLE_STREAM_NOTES, 0, 0,
             {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 5), 64 * 2, 0, 100,  // on cores 0 and 1, among what was dropped,
              HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 5), 64 * 9, 1, 200, HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CORE, 3, 6),
              64 * 11, 0, 300});  // and on core 0 again
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 0b10, 12, 12));
  auto recording = parse_recording(made.bytes(), "made");
  ASSERT_TRUE(recording);
  const Thread& thread = recording->threads[0];
  EXPECT_EQ(bits_of(thread.path), "1010");
  EXPECT_EQ(thread.skipped, 600u);
  EXPECT_FALSE(thread.from_beginning);
  EXPECT_FALSE(thread.lacks_first_notes);
  EXPECT_TRUE(thread.to_end);
  EXPECT_EQ(recording->without_beginning(), "T0");
  ASSERT_EQ(recording->stretches.size(), 2u);  // of the path that is there
  EXPECT_EQ(recording->stretches[0].core, 0u);
  EXPECT_EQ(recording->stretches[0].begin, 1u);
  EXPECT_EQ(recording->stretches[1].core, 1u);
  EXPECT_EQ(recording->stretches[1].begin_site, 0u);
  EXPECT_EQ(recording->stretches[1].end, 1u);
}

TEST(Recording, DoesNotBelieveAnyNumberOfDroppedBranches) {
  Made made(1);
  made.head().keeps_last = 1;
  made.chunk(0, HEDDLE_STREAM_PATH, 1, 2, {0b11}, ~0ull);
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 1, 3));
  EXPECT_EQ(parse_recording(made.bytes(), "made")->threads[0].skipped, 2 * 63u);
}

TEST(Recording, AFailureThatTheProgramSurvivedIsNone) {
  Made made(1);
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 1, 0));
  made.head().failure.seen = 1;
  made.head().failure.signal = 11;
  EXPECT_FALSE(parse_recording(made.bytes(), "made")->failure);
  made.head().ending = HEDDLE_RECORDING_SIGNALLED;
  made.head().status = 11;
  EXPECT_TRUE(parse_recording(made.bytes(), "made")->failure);
  made.head().failure.thread = 99;
  EXPECT_FALSE(parse_recording(made.bytes(), "made")->failure);
}

TEST(Recording, WhatIsNoRecordingIsRefused) {
  EXPECT_FALSE(parse_recording("", "empty"));
  EXPECT_FALSE(parse_recording(std::string(100'000, 'x'), "other"));
  Made made(1);
  std::string facts = made.bytes();
  facts[4096] ^= 1;
  EXPECT_FALSE(parse_recording(facts, "facts"));
  made.head().version = 99;
  EXPECT_FALSE(parse_recording(made.bytes(), "version"));
}

// Every reader of untrusted input must survive what is not meant well.
TEST(Recording, DamageIsNoCrash) {
  Made made(3);
  made.head().cores = HEDDLE_CORES_MARKED;
  made.head().stamps = 1;
  made.head().stamp_margin = 50;
  made.record(0, path_record(HEDDLE_NO_RECORD, 0, 0b110, 1, 9));
  made.record(1, path_record(0, 0, 0b110, 0));
  made.record(2, path_record(1, 0, 0b110, 0));
  made.chunk(0, HEDDLE_STREAM_PATH, 0, 0, {0b1101});
  made.chunk(0, HEDDLE_STREAM_NOTES, 0, 0,
             {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_BYTES, 3, 17), 1, 5, 7, HEDDLE_NOTE_HEAD(HEDDLE_NOTE_CREATED, 2, 3), 3, 1,
              HEDDLE_NOTE_HEAD(HEDDLE_NOTE_STAMP, 1, 0), 9});
  const std::string good = made.bytes();
  ASSERT_TRUE(parse_recording(good, "good"));
  std::mt19937_64 random(1);
  // Where something is written, most of the time.
  const std::vector<std::pair<size_t, size_t>> places = {{0, sizeof(HeddleRecording)},
                                                         {8192, 3 * sizeof(HeddlePath)},
                                                         {good.size() - 2 * HEDDLE_RECORDED_CHUNK_BYTES, 128},
                                                         {good.size() - HEDDLE_RECORDED_CHUNK_BYTES, 128}};
  size_t accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (int change = 0; change < 1 + round % 4; ++change) {
      const auto& [begin, size] = places[random() % places.size()];
      bad[begin + random() % size] = static_cast<char>(random());
    }
    if (round % 7 == 0) bad.resize(random() % bad.size());
    if (const auto read = parse_recording(bad, "bad")) accepted += read->threads.size() < 70'000;
  }
  EXPECT_GT(accepted, 300u);
}

TEST(PathCursor, TakesBitsHighestFirst) {
  Path path;
  for (const bool bit : {true, true, false, true, false}) path.append(bit);
  PathCursor cursor(path);
  EXPECT_EQ(cursor.bit(), true);
  EXPECT_EQ(cursor.bits(3), 0b101u);
  EXPECT_EQ(cursor.bits(2), std::nullopt);
  EXPECT_EQ(cursor.bit(), false);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.bit(), std::nullopt);
  EXPECT_EQ(switch_width(1), 0u);
  EXPECT_EQ(switch_width(2), 1u);
  EXPECT_EQ(switch_width(5), 3u);
}

}  // namespace
}  // namespace heddle::record
