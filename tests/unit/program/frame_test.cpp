// SPDX-License-Identifier: Apache-2.0
#include "program/frame.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::program {
namespace {

Frame example_frame(const std::string& text) {
  Frame frame;
  frame.parts.push_back({"name", text});
  frame.parts.push_back({"many", std::string(5000, 'x')});
  frame.parts.push_back({"none", ""});
  return frame;
}

std::string two_frames() {
  return encode_frame(kBitcodeMagic, example_frame("a.c")) + encode_frame(kBitcodeMagic, example_frame("b.c"));
}

TEST(Frame, ComesBackAsWritten) {
  const auto frames = decode_frames(kBitcodeMagic, two_frames(), "test");
  ASSERT_TRUE(frames) << frames.error().message;
  ASSERT_EQ(frames->size(), 2u);
  EXPECT_EQ(*(*frames)[0].find("name"), "a.c");
  EXPECT_EQ(*(*frames)[1].find("name"), "b.c");
  EXPECT_EQ(*(*frames)[1].find("many"), std::string(5000, 'x'));
  EXPECT_EQ(*(*frames)[1].find("none"), "");
  EXPECT_EQ((*frames)[1].find("else"), nullptr);
}

TEST(Frame, CompressesWhatGetsSmaller) { EXPECT_LT(encode_frame(kLinkMagic, example_frame("a.c")).size(), 300u); }

TEST(Frame, EmptySectionHasNoFrames) {
  const auto frames = decode_frames(kBitcodeMagic, "", "test");
  ASSERT_TRUE(frames);
  EXPECT_TRUE(frames->empty());
}

TEST(Frame, EveryFlippedBitIsFound) {
  const std::string good = two_frames();
  for (size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      const auto frames = decode_frames(kBitcodeMagic, bad, "test");
      ASSERT_FALSE(frames) << "byte " << at << " bit " << bit;
      EXPECT_NE(frames.error().message.find("damaged"), std::string::npos) << frames.error().message;
    }
  }
}

TEST(Frame, EveryCutIsFound) {
  const std::string good = two_frames();
  const size_t boundary = good.size() / 2;
  for (size_t length = 1; length < good.size(); ++length) {
    const auto frames = decode_frames(kBitcodeMagic, good.substr(0, length), "test");
    if (length == boundary)
      EXPECT_TRUE(frames);  // whole records were dropped: nothing in the section can tell
    else
      EXPECT_FALSE(frames) << length;
  }
}

TEST(Frame, OtherMagicIsRefused) { EXPECT_FALSE(decode_frames(kLinkMagic, two_frames(), "test")); }

}  // namespace
}  // namespace heddle::program
