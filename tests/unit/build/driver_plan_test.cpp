// SPDX-License-Identifier: Apache-2.0
#include "build/driver_plan.h"

#include <gtest/gtest.h>

#include "build/compile_job.h"
#include "build/compiler_driver.h"
#include "build/driver_arguments.h"

namespace heddle::build {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kPlan =
    "clang version 19.1.7\n"
    "Target: x86_64-pc-linux-gnu\n"
    "clang-19: warning: argument unused during compilation: '-lm' [-Wunused-command-line-argument]\n"
    " (in-process)\n"
    " \"/bin/clang\" \"-cc1\" \"-triple\" \"x86_64-pc-linux-gnu\" \"-emit-obj\" \"-D\" \"X=\\\"a \\$b\\\"\""
    " \"-dependency-file\" \"a.d\" \"-MT\" \"a.o\" \"-o\" \"/tmp/a-1.o\" \"-x\" \"c\" \"a.c\"\n"
    " \"/usr/bin/ld\" \"-o\" \"a.out\" \"/tmp/a-1.o\"\n";

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(DriverPlan, SeparatesCommandsWarningsAndHeader) {
  const DriverPlan plan = parse_plan(kPlan);
  ASSERT_EQ(plan.jobs.size(), 2u);
  EXPECT_EQ(plan.jobs[0].kind, JobKind::compile);
  EXPECT_TRUE(has(plan.jobs[0].command, "X=\"a $b\""));
  EXPECT_EQ(plan.jobs[1].kind, JobKind::link);
  EXPECT_EQ(plan.jobs[1].value_of("-o"), "a.out");
  EXPECT_TRUE(plan.warnings.starts_with("clang-19: warning: argument unused"));
  EXPECT_EQ(plan.header, "clang version 19.1.7\nTarget: x86_64-pc-linux-gnu\n");
}

TEST(DriverPlan, OtherTargetsAndOutputsAreLeftAlone) {
  EXPECT_EQ(parse_plan(" \"clang\" \"-cc1\" \"-triple\" \"aarch64-linux-gnu\" \"-emit-obj\" \"-x\" \"c\" \"a.c\"\n")
                .jobs[0]
                .kind,
            JobKind::other);
  EXPECT_EQ(
      parse_plan(" \"clang\" \"-cc1\" \"-triple\" \"x86_64-linux-gnu\" \"-S\" \"-x\" \"c\" \"a.c\"\n").jobs[0].kind,
      JobKind::other);
}

TEST(DriverPlan, SurvivesAnyText) {
  const std::string text = kPlan;
  for (size_t length = 0; length <= text.size(); ++length) parse_plan(std::string_view(text).substr(0, length));
}

TEST(CompileSteps, OnlyTheFrontendReadsTheSource) {
  const Job job = parse_plan(kPlan).jobs[0];
  const CompileSteps steps = compile_steps(job, "u.bc", "o.bc", "c.o");
  EXPECT_TRUE(has(steps.frontend, "-emit-llvm-bc"));
  EXPECT_TRUE(has(steps.frontend, "-disable-O0-optnone"));
  EXPECT_TRUE(has(steps.frontend, "-dependency-file"));
  EXPECT_TRUE(has(steps.frontend, "-debug-info-kind=constructor"));
  EXPECT_EQ(steps.frontend.back(), "a.c");
  EXPECT_FALSE(has(steps.optimise, "-dependency-file"));
  EXPECT_FALSE(has(steps.optimise, "-disable-llvm-passes"));
  EXPECT_EQ(steps.optimise.back(), "u.bc");
  EXPECT_TRUE(has(steps.generate, "-emit-obj"));
  EXPECT_TRUE(has(steps.generate, "-disable-llvm-passes"));
  EXPECT_EQ(steps.generate.back(), "o.bc");
}

TEST(DriverArguments, LinkTimeOptimisationIsLeftOut) {
  const DriverArguments prepared = prepare_arguments({"-c", "-flto=thin", "a.c", "-flto", "-fno-lto", "-v"});
  EXPECT_EQ(prepared.arguments, (Words{"-c", "a.c", "-fno-lto", "-v"}));
  EXPECT_TRUE(prepared.dropped_lto);
  EXPECT_TRUE(prepared.verbose);
}

TEST(DriverArguments, LanguageByProgramName) {
  EXPECT_EQ(language_from_program_name("/x/heddle-cc"), Language::c);
  EXPECT_EQ(language_from_program_name("heddle-c++"), Language::cxx);
  EXPECT_EQ(language_from_program_name("/heddle-cc/heddle"), std::nullopt);
}

}  // namespace
}  // namespace heddle::build
