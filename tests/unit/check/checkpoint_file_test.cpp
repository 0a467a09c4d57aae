// SPDX-License-Identifier: Apache-2.0
#include "check/checkpoint_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "base/files.h"

namespace heddle::check {
namespace {

class CheckpointFile : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("checkpoint_file_test." + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
    path_ = directory_ / "checkpoint";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
  std::string path_;
};

// `count` numbers in groups, some of them long, and what they are together.
CheckpointSections sections_of(size_t count, size_t group, std::string& expected) {
  CheckpointSections sections;
  const auto write = [](base::ByteWriter& out, size_t thing) {
    out.number(thing * thing);
    if (thing % 7 == 0) out.text(std::string(thing, 'x'));
  };
  sections.add([count](base::ByteWriter& out) { out.number(count); });
  sections.add_each(count, group, write);
  sections.add([](base::ByteWriter&) {});
  sections.add([](base::ByteWriter& out) { out.text("end"); });
  base::ByteWriter all;
  all.number(count);
  for (size_t thing = 0; thing < count; ++thing) write(all, thing);
  all.text("end");
  expected = all.bytes();
  return sections;
}

TEST_F(CheckpointFile, HasAllSectionsInOrderHoweverManyWriteIt) {
  for (const size_t count : {0, 1, 99, 100, 101, 3000}) {
    std::string first;
    for (const size_t workers : {1, 2, 5}) {
      std::string expected;
      const CheckpointSections sections = sections_of(count, 100, expected);
      ASSERT_TRUE(write_checkpoint_file(path_, sections, workers));
      const auto read = read_checkpoint_file(path_);
      ASSERT_TRUE(read);
      EXPECT_EQ(*read, expected) << count << " things, " << workers << " workers";
      const auto file = base::read_file(path_);
      ASSERT_TRUE(file);
      if (first.empty()) first = *file;
      EXPECT_EQ(*file, first);
    }
  }
}

TEST_F(CheckpointFile, CutsALargeSectionIntoBlocks) {
  std::mt19937 random(3);
  std::string large(20'000'000, ' ');
  for (char& byte : large) byte = static_cast<char>(random());
  CheckpointSections sections;
  sections.add([&](base::ByteWriter& out) { out.text(large); });
  ASSERT_TRUE(write_checkpoint_file(path_, sections, 2));
  const auto read = read_checkpoint_file(path_);
  ASSERT_TRUE(read);
  base::ByteReader in(*read);
  EXPECT_TRUE(in.text() == large);
  EXPECT_TRUE(in.at_end());
}

TEST_F(CheckpointFile, IsRefusedWhereverItIsCutOrDamaged) {
  std::string expected;
  ASSERT_TRUE(write_checkpoint_file(path_, sections_of(60, 20, expected), 2));
  const auto file = base::read_file(path_);
  ASSERT_TRUE(file);
  for (size_t size = 0; size < file->size(); ++size) {
    ASSERT_TRUE(base::write_file(path_, file->substr(0, size)));
    EXPECT_FALSE(read_checkpoint_file(path_)) << "cut after " << size << " bytes";
  }
  for (size_t at = 0; at < file->size(); ++at) {
    std::string damaged = *file;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    ASSERT_TRUE(base::write_file(path_, damaged));
    EXPECT_FALSE(read_checkpoint_file(path_)) << "damaged at " << at;
  }
  ASSERT_TRUE(base::write_file(path_, *file + "x"));
  EXPECT_FALSE(read_checkpoint_file(path_));
}

}  // namespace
}  // namespace heddle::check
