// SPDX-License-Identifier: Apache-2.0
//
// HEDDLE_CHECK in tests of GoogleTest. In a checked body EXPECT_ and ASSERT_ count like
// assertions: the first one that fails ends the execution, and is the finding.
//
//   #include <heddle_gtest.hpp>
//   TEST(Stack, KeepsAll) { HEDDLE_CHECK { ...; EXPECT_EQ(sum, 3); }; }
//   int main(int argc, char** argv) { return heddle::run_all_tests(argc, argv); }
#ifndef HEDDLE_GTEST_HPP
#define HEDDLE_GTEST_HPP

#include <gtest/gtest.h>

#include <heddle.hpp>

namespace heddle {
namespace detail {

class Expectations : public testing::EmptyTestEventListener {
  void OnTestPartResult([[maybe_unused]] const testing::TestPartResult& result) override {
#ifdef __HEDDLE__
    if (!result.failed()) return;
    const std::string file = result.file_name() ? result.file_name() : "?";
    const std::string text = file + ":" + std::to_string(result.line_number()) + ": " + result.summary();
    __heddle_assert_failed(text.c_str(), file.c_str(), static_cast<unsigned>(result.line_number()), "");
#endif
  }
};

}  // namespace detail

// What main does: runs all tests, or, in the process that heddle check runs, one body.
inline int run_all_tests(int argc, char** argv) {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  detail::expectations_count = true;
  testing::TestEventListener* expectations = new detail::Expectations;
  listeners.Append(expectations);
  if (runs_check(argc, argv)) return 0;
  delete listeners.Release(expectations);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

}  // namespace heddle

#endif
