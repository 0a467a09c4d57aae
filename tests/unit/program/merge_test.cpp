// SPDX-License-Identifier: Apache-2.0
//
// Merging, on modules written as LLVM assembly.
#include "program/merge.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace heddle::program {
namespace {

constexpr const char* kTriple = "target triple = \"x86_64-pc-linux-gnu\"\n";

ModulePart part(const std::string& name, const std::string& body) { return {name, "", kTriple + body, ""}; }

base::Result<WholeProgram> merge_parts(std::vector<ModulePart> modules, std::vector<LibraryPart> libraries = {}) {
  ProgramParts parts;
  parts.name = "prog";
  parts.modules = std::move(modules);
  parts.libraries = std::move(libraries);
  return merge(std::move(parts), {});
}

size_t count(std::string_view text, std::string_view word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

// What `name` returns, for functions of the form `ret i32 N`; else -1.
int returned_by(const WholeProgram& program, const std::string& name) {
  const std::string text = program.text();
  for (size_t at = text.find("define "); at != std::string::npos; at = text.find("define ", at + 1)) {
    const std::string head = text.substr(at, text.find('\n', at) - at);
    if (head.find("@" + name + "(") == std::string::npos) continue;
    const size_t value = text.find("ret i32 ", at);
    return std::stoi(text.substr(value + 8));
  }
  return -1;
}

const std::string kMain = "define i32 @main() {\n %r = call i32 @f()\n ret i32 %r\n}\ndeclare i32 @f()\n";

TEST(Merge, JoinsDeclarationAndDefinition) {
  const auto program = merge_parts({part("a", kMain), part("b", "define i32 @f() {\n ret i32 7\n}\n")});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(returned_by(*program, "f"), 7);
  EXPECT_EQ(program->name(), "prog");
  EXPECT_EQ(program->hash().size(), 16u);
  EXPECT_FALSE(program->needs_cxx());
}

TEST(Merge, TwoStrongDefinitionsAreAnError) {
  const auto program = merge_parts({part("a", kMain), part("b", "define i32 @f() {\n ret i32 7\n}\n"),
                                    part("c", "define i32 @f() {\n ret i32 8\n}\n")});
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("f is defined twice: in b and in c"), std::string::npos);
}

TEST(Merge, StrongBeatsWeakInAnyOrder) {
  const ModulePart weak = part("weak", "define weak i32 @f() {\n ret i32 1\n}\n");
  const ModulePart strong = part("strong", "define i32 @f() {\n ret i32 2\n}\n");
  for (const bool weak_first : {true, false}) {
    const auto program = merge_parts({part("a", kMain), weak_first ? weak : strong, weak_first ? strong : weak});
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(returned_by(*program, "f"), 2);
  }
}

TEST(Merge, CopiesOfInlineFunctionsBecomeOne) {
  const std::string inlined = "$f = comdat any\ndefine linkonce_odr i32 @f() comdat {\n ret i32 5\n}\n";
  const auto program = merge_parts({part("a", inlined + "define i32 @main() {\n %r = call i32 @f()\n ret i32 %r\n}\n"),
                                    part("b", inlined + "define i32 @g() {\n %r = call i32 @f()\n ret i32 %r\n}\n")});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(returned_by(*program, "f"), 5);
  EXPECT_EQ(count(program->text(), "define linkonce_odr"), 1u);
}

TEST(Merge, LocalNamesAreKeptApart) {
  const auto program =
      merge_parts({part("a", kMain + "define internal i32 @local() {\n ret i32 1\n}\n@keep = global ptr @local\n"),
                   part("b",
                        "define i32 @f() {\n %r = call i32 @local()\n ret i32 %r\n}\ndefine internal i32 @local() {\n "
                        "ret i32 2\n}\n")});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(count(program->text(), "define internal"), 2u);
}

TEST(Merge, ProgramWithoutMainIsRefused) {
  const auto program = merge_parts({part("b", "define i32 @f() {\n ret i32 7\n}\n")});
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("no main"), std::string::npos);
}

TEST(Merge, OtherArchitectureIsRefused) {
  for (const char* triple : {"aarch64-linux-gnu", "i386-pc-linux-gnu", "x86_64-apple-macosx", "x86_64-linux-gnux32"}) {
    const auto program = merge_parts({{"a.ll", "", "target triple = \"" + std::string(triple) + "\"\n" + kMain, ""}});
    ASSERT_FALSE(program) << triple;
    EXPECT_NE(program.error().message.find("wrong architecture"), std::string::npos);
  }
}

TEST(Merge, BrokenTextIsRefused) {
  const auto program = merge_parts({part("a.ll", "define nonsense")});
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("a.ll"), std::string::npos);
}

TEST(Merge, TheProgramComesBeforeItsLibraries) {
  const LibraryPart library{"libf.so",
                            {part("f", "define i32 @f() {\n ret i32 1\n}\ndefine i32 @g() {\n ret i32 2\n}\n")},
                            {"f", "g"},
                            false};
  const auto program = merge_parts({part("a",
                                         "define i32 @main() {\n %r = call i32 @g()\n ret i32 %r\n}\ndeclare i32 @g()\n"
                                         "define i32 @f() {\n ret i32 9\n}\n")},
                                   {library});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(returned_by(*program, "f"), 9);
  EXPECT_EQ(returned_by(*program, "g"), 2);
}

TEST(Merge, SymbolicLibrariesKeepTheirOwnDefinition) {
  LibraryPart library{"libf.so",
                      {part("f",
                            "define i32 @f() {\n ret i32 1\n}\n"
                            "define i32 @g() {\n %r = call i32 @f()\n ret i32 %r\n}\n")},
                      {"f", "g"},
                      false};
  const ModulePart main = part("a",
                               "define i32 @main() {\n %r = call i32 @g()\n ret i32 %r\n}\ndeclare i32 @g()\n"
                               "define i32 @f() {\n ret i32 9\n}\n");
  const auto interposed = merge_parts({main}, {library});
  library.symbolic = true;
  const auto symbolic = merge_parts({main}, {library});
  ASSERT_TRUE(interposed && symbolic);
  EXPECT_EQ(count(interposed->text(), "ret i32 1\n"), 0u);
  EXPECT_EQ(count(symbolic->text(), "ret i32 1\n"), 1u);
  EXPECT_EQ(returned_by(*symbolic, "f"), 9);
}

TEST(Merge, WhatALibraryDoesNotExportStaysItsOwn) {
  const std::string user = "define i32 @use_NAME() {\n %r = call i32 @helper()\n ret i32 %r\n}\n";
  const auto library = [&](const std::string& name, int value) {
    std::string body = user;
    body.replace(body.find("NAME"), 4, name);
    body += "define hidden i32 @helper() {\n ret i32 " + std::to_string(value) + "\n}\n";
    return LibraryPart{"lib" + name, {part(name, body)}, {"use_" + name}, false};
  };
  const auto program =
      merge_parts({part("a", "define i32 @main() {\n ret i32 0\n}\n")}, {library("one", 1), library("two", 2)});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(count(program->text(), "define internal"), 2u);
}

TEST(Merge, SameInputsGiveTheSameBytes) {
  const auto once = [] {
    return merge_parts({part("a", kMain + "%struct.S = type { i32, ptr }\n@s = global %struct.S zeroinitializer\n"),
                        part("b",
                             "%struct.S = type { i32, ptr }\n@t = internal global %struct.S zeroinitializer\n"
                             "define i32 @f() {\n %v = load i32, ptr @t\n ret i32 %v\n}\n")});
  };
  const auto first = once();
  const auto second = once();
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_EQ(first->bitcode(), second->bitcode());
  EXPECT_EQ(first->hash(), second->hash());
}

TEST(Merge, OtherContentGivesAnotherHash) {
  const auto one = merge_parts({part("a", "define i32 @main() {\n ret i32 0\n}\n")});
  const auto two = merge_parts({part("a", "define i32 @main() {\n ret i32 1\n}\n")});
  ASSERT_TRUE(one);
  ASSERT_TRUE(two);
  EXPECT_NE(one->hash(), two->hash());
}

TEST(Merge, OptimisedModulesAreTakenOnRequest) {
  ProgramParts parts;
  parts.name = "prog";
  parts.modules.push_back(part("a", "define i32 @main() {\n ret i32 1\n}\n"));
  parts.modules[0].optimised = std::string(kTriple) + "define i32 @main() {\n ret i32 2\n}\n";
  MergeOptions options;
  const auto unoptimised = merge(parts, options);
  options.optimised = true;
  const auto optimised = merge(parts, options);
  ASSERT_TRUE(unoptimised);
  ASSERT_TRUE(optimised);
  EXPECT_EQ(returned_by(*unoptimised, "main"), 1);
  EXPECT_EQ(returned_by(*optimised, "main"), 2);
}

TEST(Merge, CxxLibraryIsNoticed) {
  const auto program = merge_parts({part("a",
                                         "declare ptr @_Znwm(i64)\ndefine i32 @main() {\n"
                                         " %p = call ptr @_Znwm(i64 4)\n ret i32 0\n}\n")});
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->needs_cxx());
}

}  // namespace
}  // namespace heddle::program
