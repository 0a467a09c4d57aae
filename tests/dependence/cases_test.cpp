// SPDX-License-Identifier: Apache-2.0
//
// Programs whose dependences are known (tests/dependence/cases). Comments say
// them, line by line:
//
//   from a            what the line's call gives is called a
//   on a              an operation of this line depends on it
//   not a             none does, not even through memory
//   memory a          one does, but only through memory that a trace knows
//   steers a, does-not-steer a
//
// Each program is also run with other values.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/files.h"
#include "build/sources.h"
#include "dependence/flip_values.h"
#include "paths.h"

namespace heddle::tests {
namespace {

struct Remark {
  std::string word, name;
  uint32_t line;
};

std::vector<Remark> remarks_of(const std::string& source) {
  std::vector<Remark> result;
  std::istringstream lines(source);
  std::string text;
  for (uint32_t line = 1; std::getline(lines, text); ++line) {
    const size_t comment = text.find("// ");
    if (comment == std::string::npos) continue;
    text = text.substr(comment + 3);
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream words(text);
    for (Remark remark{"", "", line}; words >> remark.word >> remark.name;) result.push_back(remark);
  }
  return result;
}

class DependenceCase : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto program = build::intake({GetParam()}, {});
    ASSERT_TRUE(program) << program.error().message;
    build::TargetOptions options;
    options.dependence = true;
    auto target = build::make_target(std::move(*program), options);
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
  }

  // Sites of the table on that line of the program itself.
  std::vector<uint32_t> sites_at(uint32_t line) const {
    std::vector<uint32_t> result;
    const std::string own = std::filesystem::path(GetParam()).filename().string();
    for (const uint32_t site : target_.dependence->sites())
      if (site < target_.sites.size() && target_.sites[site].line == line && target_.sites[site].file.ends_with(own))
        result.push_back(site);
    return result;
  }

  bool depends(uint32_t line, uint32_t earlier, bool memory) const {
    return std::ranges::any_of(sites_at(line), [&](uint32_t site) {
      return memory ? target_.dependence->may_depend_through_memory(site, earlier)
                    : target_.dependence->may_depend(site, earlier);
    });
  }

  build::Target target_;
};

TEST_P(DependenceCase, IsAsItsRemarksSay) {
  auto source = base::read_file(GetParam());
  ASSERT_TRUE(source);
  const std::vector<Remark> remarks = remarks_of(*source);
  std::map<std::string, uint32_t> sites;
  for (const Remark& remark : remarks)
    if (remark.word == "from") {
      ASSERT_EQ(sites_at(remark.line).size(), 1u) << "line " << remark.line;
      sites[remark.name] = sites_at(remark.line).front();
    }
  int judged = 0;
  for (const Remark& remark : remarks) {
    const auto found = sites.find(remark.name);
    if (found == sites.end()) continue;
    const std::string where = "line " + std::to_string(remark.line) + ": " + remark.word + " " + remark.name;
    const bool direct = depends(remark.line, found->second, false), memory = depends(remark.line, found->second, true);
    if (remark.word == "on") EXPECT_TRUE(direct && memory) << where;
    if (remark.word == "not") EXPECT_FALSE(direct || memory) << where;
    if (remark.word == "memory") EXPECT_TRUE(!direct && memory) << where;
    if (remark.word == "steers") EXPECT_TRUE(target_.dependence->steers(found->second)) << where;
    if (remark.word == "does-not-steer") EXPECT_FALSE(target_.dependence->steers(found->second)) << where;
    judged += remark.word != "from";
    if (remark.word == "on" || remark.word == "not" || remark.word == "memory")
      EXPECT_FALSE(sites_at(remark.line).empty()) << where;
  }
  EXPECT_GT(judged, 1);
}

TEST_P(DependenceCase, AdmitsWhatRunsShow) {
  const FlipSummary summary = flip_values(target_, "", 3);
  EXPECT_EQ(summary.missed, 0) << summary.text;
  EXPECT_GT(summary.differences, 0);
}

std::vector<std::string> cases() {
  std::vector<std::string> result;
  for (const auto& file : std::filesystem::directory_iterator(std::string(kTestsFolder) + "/dependence/cases"))
    result.push_back(file.path().string());
  std::sort(result.begin(), result.end());
  return result;
}

INSTANTIATE_TEST_SUITE_P(Cases, DependenceCase, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace heddle::tests
