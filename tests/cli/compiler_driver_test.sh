#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `heddle cc` and `heddle c++` as build systems see them: each check does one
# thing with heddle and, where that says something, the same with clang.
#
#   compiler_driver_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"

# Takes a program in, as every analysis does, and runs it.
take() { "$heddle" trace run "$@" -o run.trace > out 2>&1; }
cc() { "$heddle" cc "$@"; }
cxx() { "$heddle" c++ "$@"; }

# Each group gets a fresh directory with these sources.
start() {
  rm -rf "$work/now"
  mkdir "$work/now"
  cd "$work/now" || exit 1
  cat > main.c <<'C'
#include "answer.h"
int main(void) { return answer() - 42; }
C
  echo 'int answer(void);' > answer.h
  echo 'int answer(void) { return 42; }' > answer.c
  echo 'int missing(void); int unneeded(void) { return missing(); }' > unneeded.c
  echo 'int main(void) { return undeclared; }' > wrong.c
  echo 'int main(void) { int unused; return 0; }' > warns.c
  cat > answer.s <<'S'
        .globl answer
        .text
answer: movl $42, %eax
        ret
        .section .note.GNU-stack,"",@progbits
S
  printf '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n' > hello.cpp
}

start # compiling
cc -c main.c; check "-c succeeds"
test -f main.o && has_bitcode main.o; check "-c writes main.o with bitcode"
cc -c answer.c -o other.o && has_bitcode other.o && ! test -f answer.o; check "-c -o names the object"
cc -O2 main.o other.o -o prog && ./prog; check "objects link and run"
cc -c main.c answer.c && has_bitcode answer.o; check "several sources with -c"
cc main.c answer.c && ./a.out && has_bitcode a.out; check "two sources without -o give a.out"
cc -g -O3 -fPIE -pie -pipe -Wall -pthread main.c answer.c -o pie && ./pie; check "common flags"
cc -no-pie -O1 main.c answer.c -o nopie && ./nopie; check "-no-pie"
cc -static main.c answer.c -o static && ./static && has_bitcode static; check "-static"
echo 'int main(void) { return 0; }' | cc -x c - -o from_stdin && ./from_stdin; check "source from stdin"
cp main.c main.strange && cc -x c -c main.strange -o strange.o && has_bitcode strange.o; check "-x c"
cc -c main.c -o /dev/null && test -c /dev/null; check "-o /dev/null stays a device"
cxx hello.cpp -o hello && test "$(./hello)" = hello && has_bitcode hello; check "C++ program"
cc -c main.c -flto && cc -flto main.o answer.c -o lto && ./lto && has_bitcode lto; check "-flto is compiled without"
cc -c main.c -flto 2>&1 | grep -q . ; test $? -ne 0; check "-flto says nothing"
cc -v -c main.c -flto 2>&1 | grep -q 'without link-time'; check "-flto -v says so"
mkdir "with space" && cp main.c answer.h "with space" && cc -c "with space/main.c" -o "with space/m \$x.o" &&
  has_bitcode "with space/m \$x.o"; check "names with spaces and dollars"
printf '#include <heddle.h>\nint x;\n' > uses.c
if [ -f "$(dirname "$heddle")/../include/heddle.h" ]; then cc -c uses.c; else true; fi; check "finds heddle.h"
printf '#ifndef __HEDDLE__\n#error\n#endif\n' > macro.c && cc -c macro.c; check "defines __HEDDLE__"

"$clang" -c -emit-llvm main.c answer.c && cc main.bc answer.bc -o from_bc && ./from_bc && has_bitcode from_bc
check "LLVM modules as inputs"

start # dependencies, compared with clang
for flags in "-MD" "-MMD" "-MMD -MF deps" "-MMD -MT target -MP" "-MD -MQ a\$b" "-Wp,-MMD,deps"; do
  for out in "" "-o sub/x.o"; do
    rm -rf sub ours theirs && mkdir sub
    "$clang" -c main.c $flags $out && mkdir theirs && find . -name '*.d' -o -name deps | xargs -I{} mv {} theirs/
    cc -c main.c $flags $out && mkdir ours && find . -path ./theirs -prune -o \( -name '*.d' -o -name deps \) -print |
      xargs -I{} mv {} ours/
    diff -r ours theirs > /dev/null && test -n "$(ls ours)"; check "dependencies: $flags $out"
  done
done
test "$(cc -MM main.c)" = "$("$clang" -MM main.c)"; check "-MM"

start # left to clang
test "$(cc --version)" = "$("$clang" --version)"; check "--version"
test "$(cc -dumpversion)" = "$("$clang" -dumpversion)"; check "-dumpversion"
test "$(cc -print-search-dirs)" = "$("$clang" -print-search-dirs)"; check "-print-search-dirs"
cc -### main.c 2>&1 | grep -q -- '-cc1'; check "-###"
cc -v 2>&1 | grep -q 'Target: x86_64'; check "-v alone"
cc -E main.c | grep -q 'int main'; check "-E"
cc -S main.c -o - | grep -q 'main:'; check "-S"
cc -fsyntax-only main.c && ! test -f main.o; check "-fsyntax-only"
cc -save-temps main.c answer.c -o saved && ./saved && test -f saved-main.i -o -f main.i; check "-save-temps"
cc -c -emit-llvm main.c && test -f main.bc; check "-emit-llvm"
cc -m32 -c main.c -o m32.o; "$clang" -m32 -c main.c -o m32c.o; test -f m32.o -a -f m32c.o; check "-m32 compiles"
printf 'int f(int);\n' > pre.h && cc -x c-header pre.h -o pre.h.pch && cc -include pre.h -c main.c; check "precompiled header"

start # responses, diagnostics, exit codes
echo '-c main.c -DX="a b" -o "re sp.o"' > args && cc @args && has_bitcode "re sp.o"; check "response file"
printf 'int f%d(void){return %d;}\n' 1 1 > many.c && cc -c many.c $(seq -f '-DLONG_MACRO_NAME_%06.0f=1' 1 5000)
check "very long command line"
cc -c wrong.c 2> ours; ours=$?
"$clang" -c wrong.c 2> theirs; theirs=$?
test $ours -eq $theirs; check "exit code of a compile error"
cmp -s ours theirs; check "diagnostics of a compile error"
test ! -f wrong.o; check "no object after a compile error"
cc -c -Wall warns.c 2> ours; "$clang" -c -Wall warns.c 2> theirs
cmp -s ours theirs; check "a warning is printed once"
cc -c -Wall -Werror warns.c 2> /dev/null; test $? -eq 1; check "-Werror"
cc -c main.c -lm 2> ours; "$clang" -c main.c -lm 2> theirs
cmp -s ours theirs; check "driver warnings"
cc main.c -o nolink 2> ours; ours=$?
"$clang" main.c -o nolink 2> theirs; theirs=$?
test $ours -eq $theirs && grep -q 'undefined reference to .answer' ours && grep -q 'linker command failed' ours
check "link error"
cc -c nofile.c 2> ours; ours=$?
"$clang" -c nofile.c 2> theirs
test $ours -eq $? && cmp -s ours theirs; check "missing input"
cc --no-such-flag main.c 2> ours; "$clang" --no-such-flag main.c 2> theirs; cmp -s ours theirs; check "unknown flag"
cc -c wrong.c main.c 2> /dev/null; test $? -eq 1 && test -f main.o; check "other sources are still compiled"
printf 'void f(void) { __asm__("nonsense %%eax"); }\n' > asm.c
cc -c asm.c 2> ours; test $? -eq 1 && grep -q 'invalid instruction' ours; check "error in inline assembly"

start # libraries
cc -c answer.c unneeded.c && ar rcs libanswer.a answer.o unneeded.o && cc main.c -L. -lanswer -o prog && ./prog
check "static library with an unneeded member"
test "$(readelf -p .heddle.bitcode prog 2> /dev/null | grep -c 'HDLBITC')" -eq 2; check "only used members' bitcode"
cc -shared -fPIC answer.c -o libanswer.so && has_bitcode libanswer.so; check "-shared"
cc main.c -L. -lanswer -Wl,-rpath,'$ORIGIN' -o dynamic && ./dynamic; check "own shared library"
take dynamic; check "program with own shared library is accepted"
cc main.c answer.s -o with_asm && ./with_asm && readelf -SW with_asm | grep -q '\.heddle\.link'; check "assembly"
take with_asm; check "program with assembly is accepted"
cp answer.s upper.S && cc main.c upper.S -o upper && ./upper; check "assembly with preprocessor"
for linker in bfd lld gold; do
  command -v "ld.$linker" > /dev/null || continue
  cc -O2 -ffunction-sections -fdata-sections -fuse-ld=$linker -Wl,--gc-sections main.c answer.c unneeded.c \
    -o "gc_$linker" && "./gc_$linker" && test "$(grep -c HDLBITC "gc_$linker")" -ge 1 &&
    test "$(grep -ao HDLBITC "gc_$linker" | wc -l)" -eq 3
  check "--gc-sections keeps bitcode with $linker"
done
cc -r -nostdlib main.c answer.s -o both.o && cc both.o -o relinked && ./relinked; check "ld -r"
take relinked; check "program from ld -r is accepted"
cc main.c answer.c -o one && cp one first && cc main.c answer.c -o one && cmp -s one first; check "builds are reproducible"

start # build systems
printf 'int main(void) { return 0; }\n' > conftest.c
CC="$heddle cc" && $CC conftest.c && ./a.out; check "configure: compiler works"
$CC -c conftest.c && $CC conftest.o -o conftest && ./conftest; check "configure: object and executable"
printf 'char pthread_create(); int main(void) { return pthread_create(); }\n' > conftest.c
$CC -o conftest conftest.c -lpthread 2> /dev/null; check "configure: library function"
printf 'prog: main.o answer.o\n\t$(CC) $^ -o $@\n' > Makefile && rm -f *.o && make -s CC="$heddle cc" && ./prog
check "make"
if [ -x "$(dirname "$heddle")/heddle-cc" ] && command -v cmake > /dev/null; then
  bin=$(dirname "$heddle")
  cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(tiny C CXX)
find_package(Threads REQUIRED)
add_library(answer STATIC answer.c)
add_executable(prog main.c)
target_link_libraries(prog answer Threads::Threads)
add_executable(hello hello.cpp)
C
  cmake -S . -B build -DCMAKE_C_COMPILER="$bin/heddle-cc" -DCMAKE_CXX_COMPILER="$bin/heddle-c++" > log 2>&1 &&
    cmake --build build >> log 2>&1 && build/prog && test "$(build/hello)" = hello && has_bitcode build/prog
  check "CMake with heddle-cc and heddle-c++"
  grep -q 'Clang 19' log; check "CMake takes it for clang"
  CC="$heddle cc" CXX="$heddle c++" cmake -S . -B build2 > log 2>&1 && cmake --build build2 >> log 2>&1 && build2/prog
  check "CMake with CC='heddle cc'"
fi

start # damage: a clear message and exit code 3, never a crash
cc main.c answer.c -o prog
offset=$(readelf -SW prog | sed -n 's/.*\.heddle\.bitcode *PROGBITS *[0-9a-f]* *\([0-9a-f]*\).*/\1/p')
size=$(stat -c %s prog)
for where in 0 8 12 16 40 200; do
  byte=$(od -An -tu1 -j $((16#$offset + where)) -N 1 prog)
  cp prog bad && printf "\\x$(printf %02x $((byte ^ 165)))" | dd of=bad bs=1 seek=$((16#$offset + where)) conv=notrunc status=none
  take bad; test $? -eq 3 && grep -q 'damaged' out; check "flipped byte $where of the section"
done
for keep in 0 3 20 70 $((16#$offset)) $((16#$offset + 50)) $((size - 100)) $((size - 1)); do
  head -c "$keep" prog > bad
  take bad; test $? -eq 3; check "file cut to $keep bytes"
done
"$clang" main.c answer.c -o foreign && take foreign; test $? -eq 3 && grep -q 'no bitcode' out
check "program of another compiler"
llvm-strip-19 prog -o stripped 2> /dev/null && take stripped; test $? -eq 3 &&
  grep -q 'stripped' out; check "stripped program"
take main.c answer.c; check "sources are accepted"

summary
