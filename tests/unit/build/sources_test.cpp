// SPDX-License-Identifier: Apache-2.0
#include "build/sources.h"

#include "built_program.h"

namespace heddle::build {
namespace {

base::Result<program::WholeProgram> take(const std::vector<std::string>& inputs, std::vector<std::string> cflags = {}) {
  IntakeOptions options;
  options.cflags = std::move(cflags);
  return intake(inputs, options);
}

TEST(Intake, SourcesOfBothLanguages) {
  Workshop shop;
  const std::string main = shop.file("main.c", "int f(void); int main(void) { return f(); }\n");
  const std::string other = shop.file("f.cpp", "#include <new>\nextern \"C\" int f() { return *new int(0); }\n");
  const auto program = take({main, other});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->name(), "main");
  EXPECT_TRUE(program->needs_cxx());
  EXPECT_FALSE(contains(program->text(), "optnone"));
  EXPECT_TRUE(contains(program->text(), "!DILocalScope") || contains(program->text(), "!DISubprogram"));
}

TEST(Intake, CompileErrorsAreShown) {
  Workshop shop;
  const auto program = take({shop.file("bad.c", "int main(void) { return missing; }\n")});
  ASSERT_FALSE(program);
  EXPECT_TRUE(contains(program.error().message, "bad.c:1:25: error: use of undeclared identifier 'missing'"));
}

TEST(Intake, FlagsReachCompilerAndLinker) {
  Workshop shop;
  const std::string source = shop.file("main.c", "int main(void) { return CODE; }\n");
  const auto program = take({source}, {"-DCODE=3", "-lm"});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->link_flags(), std::vector<std::string>{"-lm"});
  EXPECT_FALSE(take({source}));
}

TEST(Intake, ExecutableEqualsItselfReadTwice) {
  Workshop shop;
  const std::string path = shop.program();
  const auto first = take({path});
  const auto second = take({path});
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second);
  EXPECT_EQ(first->name(), "prog");
  EXPECT_EQ(first->hash(), second->hash());
  EXPECT_EQ(first->bitcode(), second->bitcode());
}

TEST(Intake, BothModulesOfAnExecutable) {
  Workshop shop;
  const std::string source =
      shop.file("main.c", "static int twice(int x) { return 2 * x; } int main(int n, char **v) { return twice(n); }\n");
  shop.compile({"-O2", source, "-o", shop.path("prog")});
  IntakeOptions options;
  const auto unoptimised = intake({shop.path("prog")}, options);
  options.optimised = true;
  const auto optimised = intake({shop.path("prog")}, options);
  ASSERT_TRUE(unoptimised && optimised);
  EXPECT_TRUE(contains(unoptimised->text(), "call i32 @twice"));
  EXPECT_FALSE(contains(optimised->text(), "call i32 @twice"));
  EXPECT_NE(unoptimised->hash(), optimised->hash());
}

TEST(Intake, ArchiveMembersAsTheLinkerTakesThem) {
  Workshop shop;
  const std::string main = shop.file("main.c", "int f(void); int main(void) { return f(); }\n");
  shop.file("f.c", "int g(void); int f(void) { return g(); }\n");
  shop.file("g.c", "int g(void) { return 0; }\n");
  shop.file("unneeded.c", "int unneeded(void) { return 1; }\n");
  for (const std::string name : {"f", "g", "unneeded"})
    shop.compile({"-c", shop.path(name + ".c"), "-o", shop.path(name + ".o")});
  shop.run({"ar", "rcs", shop.path("libf.a"), shop.path("g.o"), shop.path("f.o"), shop.path("unneeded.o")});
  for (const auto& program : {take({main, shop.path("libf.a")}), take({main}, {"-L" + shop.path(""), "-lf"})}) {
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_TRUE(contains(program->text(), "@g()"));
    EXPECT_FALSE(contains(program->text(), "@unneeded()"));
  }
}

TEST(Intake, AssemblyStaysNative) {
  Workshop shop;
  const std::string main = shop.file("main.c", "int f(void); int main(void) { return f(); }\n");
  const std::string assembly =
      shop.file("f.s", ".globl f\nf: xorl %eax, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n");
  shop.compile({main, assembly, "-o", shop.path("prog")});
  for (const auto& program : {take({main, assembly}), take({shop.path("prog")})}) {
    ASSERT_TRUE(program) << program.error().message;
    ASSERT_EQ(program->native_objects().size(), 1u);
    EXPECT_TRUE(
        program->native_objects()[0].bytes.starts_with("\x7f"
                                                       "ELF"));
  }
}

TEST(Intake, OwnSharedLibrariesAreMergedForeignOnesLinked) {
  Workshop shop;
  const std::string main =
      shop.file("main.c", "int own(void); int foreign(void); int main(void) { return own() + foreign(); }\n");
  const std::string own = shop.file("own.c", "int own(void) { return 0; }\n");
  const std::string foreign = shop.file("foreign.c", "int foreign(void) { return 0; }\n");
  shop.compile({"-shared", "-fPIC", own, "-o", shop.path("libown.so")});
  shop.run({"clang-19", "-shared", "-fPIC", foreign, "-o", shop.path("libforeign.so")});
  shop.compile({main, "-L" + shop.path(""), "-lown", "-lforeign", "-Wl,-rpath,$ORIGIN", "-o", shop.path("prog")});
  const auto program = take({shop.path("prog")});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(contains(program->text(), "define dso_local i32 @own()") ||
              contains(program->text(), "define i32 @own()"));
  EXPECT_EQ(program->shared_libraries(), std::vector<std::string>{shop.path("libforeign.so")});
}

TEST(Intake, RefusesWhatIsNoProgram) {
  Workshop shop;
  EXPECT_TRUE(contains(take({}).error().message, "no program"));
  EXPECT_TRUE(contains(take({shop.file("notes.txt", "hello")}).error().message, "not a program"));
  EXPECT_TRUE(contains(take({"/nonexistent.c"}).error().message, "no such file"));
  EXPECT_TRUE(contains(take({shop.file("f.c", "int f;\n")}).error().message, "no main"));
  const std::string main = shop.file("main.c", "int main(void) { return 0; }\n");
  shop.run({"clang-19", main, "-o", shop.path("foreign")});
  const auto foreign = take({shop.path("foreign")});
  ASSERT_FALSE(foreign);
  EXPECT_TRUE(contains(foreign.error().message, "no bitcode"));
  EXPECT_TRUE(contains(foreign.error().hint, "stripped"));
  shop.run({"clang-19", "-c", main, "-o", shop.path("foreign.o")});
  EXPECT_TRUE(contains(take({shop.path("foreign.o")}).error().message, "no bitcode"));
  EXPECT_TRUE(contains(take({main, main}).error().message, "main is defined twice"));
}

}  // namespace
}  // namespace heddle::build
