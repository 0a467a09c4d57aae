// SPDX-License-Identifier: Apache-2.0
#include "pass/library_code.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include "pass/preparation.h"

namespace heddle::pass {
namespace {

// `main` of a.cpp, line 3, calls `load` of a header, line 488, with the order that it wants.
constexpr const char* kProgram = R"(
@counter = global i32 0
@other = global i32 0

define linkonce_odr i32 @load(ptr %place, i32 %order) noinline !dbg !10 {
  %kept = alloca i32
  store i32 %order, ptr %kept
  %wanted = load i32, ptr %kept
  switch i32 %wanted, label %relaxed [ i32 5, label %ordered ], !dbg !12
relaxed:
  %a = load atomic i32, ptr %place monotonic, align 4, !dbg !12
  ret i32 %a, !dbg !12
ordered:
  %b = load atomic i32, ptr %place seq_cst, align 4, !dbg !12
  ret i32 %b, !dbg !12
}

define linkonce_odr void @again(i32 %rounds) !dbg !14 {
  call void @again(i32 %rounds), !dbg !15
  ret void, !dbg !15
}

define i32 @own(ptr %place) !dbg !16 {
  %a = load i32, ptr %place, !dbg !17
  ret i32 %a, !dbg !17
}

define i32 @main() !dbg !6 {
  %a = call i32 @load(ptr @counter, i32 5), !dbg !8
  %b = call i32 @own(ptr @other), !dbg !9
  call void @again(i32 1), !dbg !9
  ret i32 %a, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cpp", directory: "/home")
!2 = !DIFile(filename: "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/atomic_base.h", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !DISubroutineType(types: !{})
!6 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 2, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 1, scope: !6)
!9 = !DILocation(line: 4, column: 1, scope: !6)
!10 = distinct !DISubprogram(name: "load", scope: !2, file: !2, line: 480, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 488, column: 1, scope: !10)
!14 = distinct !DISubprogram(name: "again", scope: !2, file: !2, line: 500, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 501, column: 1, scope: !14)
!16 = distinct !DISubprogram(name: "own", scope: !1, file: !1, line: 7, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!17 = !DILocation(line: 8, column: 1, scope: !16)
)";

class LibraryCode : public testing::Test {
 protected:
  void prepare(CodeForm form) {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(kProgram, error, context_);
    ASSERT_TRUE(module_) << error.getMessage().str();
    prepare_code(*module_, form);
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
  }
  std::vector<const llvm::Instruction*> of_main(unsigned opcode) const {
    std::vector<const llvm::Instruction*> found;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("main")))
      if (instruction.getOpcode() == opcode) found.push_back(&instruction);
    return found;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(LibraryCode, BecomesPartOfTheProgramAndHasItsLine) {
  prepare(CodeForm::kRegisters);
  const auto loads = of_main(llvm::Instruction::Load);
  ASSERT_EQ(loads.size(), 1u) << "the order is known, so there is one";
  EXPECT_TRUE(llvm::cast<llvm::LoadInst>(loads[0])->getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent);
  EXPECT_EQ(loads[0]->getDebugLoc()->getFilename().str(), "a.cpp");
  EXPECT_EQ(loads[0]->getDebugLoc()->getLine(), 3u);
  EXPECT_FALSE(module_->getFunction("load")) << "nobody calls it any more";
}

TEST_F(LibraryCode, FunctionsOfTheProgramStayFunctions) {
  prepare(CodeForm::kRegisters);
  EXPECT_EQ(module_->getFunction("own")->getNumUses(), 1u);
}

TEST_F(LibraryCode, FunctionsThatCallThemselvesStayFunctions) {
  prepare(CodeForm::kRegisters);
  EXPECT_TRUE(module_->getFunction("again"));
}

TEST_F(LibraryCode, StaysApartInCodeAsWritten) {
  prepare(CodeForm::kAsWritten);
  EXPECT_EQ(of_main(llvm::Instruction::Load).size(), 0u);
  EXPECT_TRUE(module_->getFunction("load"));
}

TEST(LibraryFile, IsKnownByItsPath) {
  EXPECT_TRUE(is_library_file("/usr/include/stdlib.h"));
  EXPECT_TRUE(is_library_file("/opt/gcc/include/c++/12/atomic"));
  EXPECT_TRUE(is_library_file("heddle/models/threads.cpp"));
  EXPECT_FALSE(is_library_file("src/usr/include/a.h"));
  EXPECT_FALSE(is_library_file("a.cpp"));
}

}  // namespace
}  // namespace heddle::pass
