// SPDX-License-Identifier: Apache-2.0
//
// The models of library functions do what the library's own functions do. Test
// programs hold both against each other; they run without instrumentation.
#include "build/models.h"

#include <filesystem>

#include "build/clang.h"
#include "build/generate_code.h"
#include "build/runtime_library.h"
#include "build/sources.h"
#include "build/target.h"
#include "built_program.h"
#include "paths.h"

namespace heddle::build {
namespace {

base::Result<program::WholeProgram> with_models(const std::string& source) {
  IntakeOptions options;
  options.cflags = {"-fno-builtin"};
  auto program = intake({source}, options);
  if (!program) return program;
  auto runtime = runtime_library(Runtime::kControlled);
  if (!runtime) return runtime.error();
  if (auto linked = link_models(program->module(), models_file(*runtime)); !linked) return linked.error();
  return program;
}

void expect_agreement(const std::string& name) {
  const Workshop shop;
  auto program = with_models(std::filesystem::path(tests::kTestsFolder) / "unit/build" / name);
  ASSERT_TRUE(program) << program.error().message;
  const std::string object = shop.path("program.o"), executable = shop.path("program");
  ASSERT_TRUE(generate_object(program->module(), object));
  shop.run({*find_clang(Language::cxx), "-no-pie", object, "-o", executable});
  base::ProcessOptions options;
  options.capture_out = true;
  const auto ran = base::run_process({executable}, options);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->exit_code, 0) << ran->out;
}

TEST(Models, AgreeWithTheCLibrary) { expect_agreement("models_against_c_library.c"); }
TEST(Models, AgreeWithTheCxxLibrary) { expect_agreement("models_against_cxx_library.cpp"); }

TEST(Models, OnlyWhatIsMissingIsLinked) {
  const Workshop shop;
  auto program = with_models(shop.file("main.c",
                                       "#include <string.h>\n"
                                       "size_t strnlen(const char *s, size_t n) { return s[0] + n; }\n"
                                       "int main(int c, char **v) { return strlen(v[0]) + strnlen(v[0], 3); }\n"));
  ASSERT_TRUE(program) << program.error().message;
  const std::string text = program->text();
  EXPECT_TRUE(contains(text, "define internal i64 @strlen.model("));
  EXPECT_FALSE(contains(text, "declare i64 @strlen("));
  EXPECT_FALSE(contains(text, "strnlen.model"));
  EXPECT_FALSE(contains(text, "@strcpy"));
}

TEST(Models, AMissingFileIsSaid) {
  const Workshop shop;
  auto program = intake({shop.file("main.c", "int main(void) { return 0; }\n")}, {});
  ASSERT_TRUE(program);
  const auto linked = link_models(program->module(), shop.path("models.bc"));
  ASSERT_FALSE(linked);
  EXPECT_TRUE(contains(linked.error().message, "models.bc"));
}

}  // namespace
}  // namespace heddle::build
