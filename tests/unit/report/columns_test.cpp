// SPDX-License-Identifier: Apache-2.0
#include "report/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace heddle::report {
namespace {

std::vector<Row> example() {
  return {{"1", 0, "creates T0.0", "19  create(&first);", Style::kPlain, false},
          {"2", 1, "reads counter: 0", "13  counter++;", Style::kPlain, true},
          {"3", 0, "FAILS: assertion: counter == 2", "23  assert(counter == 2);", Style::kRed, true}};
}

std::string all(const std::vector<std::string>& names, const std::vector<Row>& rows, const ColumnOptions& options) {
  const Columns columns(names, rows, options);
  std::string text = columns.head();
  for (const Row& row : rows) text += columns.line(row);
  return text;
}

size_t widest(const std::string& text) {
  std::istringstream stream(text);
  size_t width = 0;
  for (std::string line; std::getline(stream, line);) width = std::max(width, line.size());
  return width;
}

TEST(Columns, OneForEachThread) {
  EXPECT_EQ(all({"T0 main", "T0.0 work"}, example(), {100, false}),
            "step  T0 main       T0.0 work         source\n"
            "   1  creates T0.0                    19  create(&first);\n"
            "   2              > reads counter: 0  13  counter++;\n"
            "   3> FAILS: assertion: counter == 2  23  assert(counter == 2);\n");
}

TEST(Columns, AreNarrowedToTheWidth) {
  for (const size_t width : {70, 60, 56, 40}) {
    const std::string text = all({"T0 main", "T0.0 work"}, example(), {width, false});
    EXPECT_LE(widest(text), width) << text;
    EXPECT_NE(text.find("reads counter: 0"), std::string::npos) << text;
  }
}

TEST(Columns, BreakLongTextsAndLoseNothingOfThem) {
  const std::string text = all({"T0 main", "T0.0 work"}, example(), {60, false});
  for (const char* word : {"FAILS:", "assertion:", "counter", "== 2"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(Columns, ManyThreadsShareOne) {
  std::vector<std::string> names;
  for (int i = 0; i < 9; ++i) names.push_back("T0." + std::to_string(i) + " work");
  const std::string text = all(names, {{"7", 8, "x = 1", "3  x = 1;", Style::kPlain, true}}, {80, false});
  EXPECT_EQ(text,
            "step  thread                source\n"
            "   7> T0.8 work  x = 1      3  x = 1;\n");
}

TEST(Columns, SourceIsCutNotBroken) {
  const std::string source = "1  " + std::string(200, 'x');
  const std::string text = all({"T0"}, {{"1", 0, "x = 1", source, Style::kPlain, false}}, {60, false});
  EXPECT_LE(widest(text), 60u) << text;
  EXPECT_NE(text.find("xxx...\n"), std::string::npos) << text;
}

TEST(Columns, ColourOnlyWhereAskedFor) {
  EXPECT_EQ(all({"T0", "T1"}, example(), {100, false}).find('\x1b'), std::string::npos);
  EXPECT_NE(all({"T0", "T1"}, example(), {100, true}).find("\x1b[1;31mFAILS: assertion"), std::string::npos);
}

TEST(Columns, CountCharactersNotBytes) {
  const std::vector<Row> rows = {{"1", 0, "größe = 1", "1  a", Style::kPlain, false},
                                 {"2", 0, "gross = 1", "2  b", Style::kPlain, false}};
  const Columns columns({"T0"}, rows, {100, false});
  EXPECT_EQ(columns.line(rows[0]), "   1  größe = 1  1  a\n");
  EXPECT_EQ(columns.line(rows[1]), "   2  gross = 1  2  b\n");
}

}  // namespace
}  // namespace heddle::report
