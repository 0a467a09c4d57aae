// SPDX-License-Identifier: Apache-2.0
//
// Damaged files: each damage gives a message, none a crash.
#include <elf.h>

#include <cstring>

#include "build/sources.h"
#include "built_program.h"
#include "program/frame.h"
#include "program/read_program.h"

namespace heddle::build {
namespace {

class Damage : public ::testing::Test {
 protected:
  void SetUp() override {
    workshop_.program();
    good_ = workshop_.content("prog");
    section_begin_ = good_.find(program::kBitcodeMagic);
    link_begin_ = good_.find(program::kLinkMagic);
    ASSERT_NE(section_begin_, std::string::npos);
    ASSERT_NE(link_begin_, std::string::npos);
  }

  uint64_t length_of_record(size_t begin) const {
    uint64_t length = 0;
    std::memcpy(&length, good_.data() + begin + 16, sizeof length);
    return length;
  }

  base::Result<program::ProgramParts> read(const std::string& bytes) {
    return program::read_program(workshop_.file("bad", bytes));
  }

  void expect_damage_found_in(size_t begin, uint64_t length) {
    const size_t step = length / 400 + 1;
    for (size_t at = begin; at < begin + length; at += at < begin + 100 ? 1 : step) {
      std::string bad = good_;
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
      const auto parts = read(bad);
      ASSERT_FALSE(parts) << "byte " << at - begin;
      EXPECT_TRUE(contains(parts.error().message, "damaged")) << parts.error().message;
      EXPECT_FALSE(parts.error().hint.empty());
    }
  }

  Workshop workshop_;
  std::string good_;
  size_t section_begin_ = 0;
  size_t link_begin_ = 0;
};

TEST_F(Damage, UndamagedIsRead) {
  const auto parts = read(good_);
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->modules.size(), 2u);
}

TEST_F(Damage, FlipsInBitcodeAreFound) { expect_damage_found_in(section_begin_, length_of_record(section_begin_)); }

TEST_F(Damage, FlipsInLinkRecordAreFound) { expect_damage_found_in(link_begin_, length_of_record(link_begin_)); }

TEST_F(Damage, CutFilesAreRefused) {
  for (size_t length = 0; length < good_.size(); length += length < 200 ? 1 : good_.size() / 300)
    EXPECT_FALSE(read(good_.substr(0, length))) << length;
}

// Anywhere else a flip may go unnoticed; it must not end the process.
TEST_F(Damage, FlipsInElfTablesDoNotCrash) {
  Elf64_Ehdr header;
  std::memcpy(&header, good_.data(), sizeof header);
  const size_t table_size = header.e_shnum * sizeof(Elf64_Shdr);
  const auto flip_all = [&](size_t begin, size_t size, size_t step) {
    for (size_t at = begin; at < begin + size; at += step) {
      for (const int mask : {0x01, 0x80, 0xff}) {
        std::string bad = good_;
        bad[at] = static_cast<char>(bad[at] ^ mask);
        const auto parts = read(bad);
        if (!parts) EXPECT_FALSE(parts.error().message.empty());
      }
    }
  };
  flip_all(0, sizeof header, 1);
  flip_all(header.e_shoff, table_size, 3);
  flip_all(sizeof header, good_.size() - sizeof header, good_.size() / 300);
}

TEST_F(Damage, BitcodeOfANewerHeddleIsNamed) {
  // A whole record of another version: version and checksum both rewritten.
  std::string newer = good_;
  const uint64_t length = length_of_record(section_begin_);
  newer[section_begin_ + 8] = 99;
  const uint64_t checksum = base::hash_bytes(std::string_view(newer).substr(section_begin_, length - 8));
  std::memcpy(newer.data() + section_begin_ + length - 8, &checksum, sizeof checksum);
  const auto parts = read(newer);
  ASSERT_FALSE(parts);
  EXPECT_TRUE(contains(parts.error().message, "format version 99")) << parts.error().message;
}

TEST_F(Damage, OtherFilesAreNamedForWhatTheyAre) {
  const auto message = [&](const std::string& bytes) {
    const auto parts = read(bytes);
    return parts ? std::string("accepted") : parts.error().message;
  };
  std::string arm = good_;
  arm[18] = static_cast<char>(EM_AARCH64);
  arm[19] = 0;
  EXPECT_TRUE(contains(message(arm), "wrong architecture: built for AArch64"));
  std::string narrow = good_;
  narrow[EI_CLASS] = ELFCLASS32;
  EXPECT_TRUE(contains(message(narrow), "32-bit"));
  EXPECT_TRUE(contains(message("#!/bin/sh\n"), "not an ELF file"));
  EXPECT_TRUE(contains(message(""), "not an ELF file"));
  EXPECT_FALSE(program::read_program("/nonexistent/file"));
}

}  // namespace
}  // namespace heddle::build
