// SPDX-License-Identifier: Apache-2.0
#include "dependence/random_functions.h"

#include <fmt/format.h>

#include "oracle/random_numbers.h"

namespace heddle::tests {
namespace {

// What all functions share. Each helper is a way by which a dependence can go.
constexpr const char* kHelpers = R"(
#include <heddle.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct pair { int left, right; struct pair *next; int array[4]; };
union bits { struct pair *pointer; uint64_t number; unsigned char bytes[8]; };
static int global[8];
static struct pair shared, *head;
static _Thread_local int own;
static pthread_key_t key;
static jmp_buf back;
static int add(int x, int y) { return x + y; }
static int other(int x, int y) { return x - 2 * y; }
static int early(int x, int y) { if (x > 2) return y; return x + 1; }
static int (*const table[])(int, int) = {add, other, early};
static void leave(int x) { if (x == 5) exit(3); }
static void spin(int x) { while (x > 0) x -= 2; if (x == -1) leave(5); }
static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
static void put(int *where, int value) { *where = value; }
static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; ++i) total += va_arg(list, int);
  va_end(list);
  return total;
}
static int of_copy(struct pair copy) { copy.left += copy.right; return copy.left; }
static struct pair made(int x, int y) { struct pair result = {x, y, 0, {x, y, 0, 1}}; return result; }
static int compare(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static void jump(int x) { if (x == 3) longjmp(back, 1); }
static int jumps(int x) { if (setjmp(back)) return 7; jump(x); return x; }
static struct pair *through(struct pair *p) { union bits b; b.number = (uint64_t)p ^ 1; b.number ^= 1; return b.pointer; }
)";

class FunctionMaker {
 public:
  explicit FunctionMaker(uint64_t seed) : random_(seed) {}

  std::string make(int number) {
    text_ = fmt::format("static void f{}(void) {{\n", number);
    text_ += "  int a = 0, b = 1, c = 2, d = 3, local[4] = {0, 1, 2, 3}, *p = &a, *q = local;\n";
    text_ +=
        "  struct pair one = {1, 2, 0, {0}}, two = {3, 4, &one, {0}}, *r = &one;\n  char s[16] = \"abc\", t[16] = "
        "\"b\";\n";
    text_ += "  (void)p; (void)q; (void)r; (void)d; (void)s; (void)t; (void)two;\n";
    for (int i = 0; i < 3; ++i) choice();
    block(7, 0);
    text_ += fmt::format("  global[7] = {};\n}}\n", variable());
    return text_;
  }

 private:
  std::string variable() { return random_.one_of<const char*>({"a", "b", "c", "d"}); }

  std::string expression() {
    const std::string x = variable(), y = variable();
    switch (random_.below(24)) {
      case 0: return x;
      case 1: return std::to_string(random_.between(0, 5));
      case 2: return x + " + " + y;
      case 3: return fmt::format("local[({}) & 3]", x);
      case 4: return "*p";
      case 5: return "r->left";
      case 6: return "r->right + two.next->left";
      case 7: return fmt::format("table[(unsigned)({}) % 3]({}, {})", x, y, x);
      case 8: return fmt::format("early({}, {})", x, y);
      case 9: return fmt::format("sum(2, {}, {})", x, y);
      case 10: return "of_copy(one)";
      case 11: return fmt::format("made({}, {}).right", x, y);
      case 12: return fmt::format("depth({} & 3)", x);
      case 13: return "own";
      case 14: return "(int)(intptr_t)pthread_getspecific(key)";
      case 15: return fmt::format("jumps({})", x);
      case 16: return fmt::format("12 / ({} - 4)", x);
      case 17: return "through(&two)->right";
      case 18: return "(int)strlen(s) + strcmp(s, t)";
      case 19: return fmt::format("global[({}) & 7]", x);
      case 20: return "shared.right";
      case 21: return fmt::format("r->array[({}) & 3]", x);
      case 22: return fmt::format("{} > {} ? {} : *q", x, y, y);
      default: return fmt::format("{} * 2 - {}", x, y);
    }
  }

  void line(const std::string& statement) { text_ += "  " + statement + "\n"; }
  void choice() { line(fmt::format("{} = heddle_nondet_int(0, {});", variable(), random_.between(1, 5))); }

  void block(int statements, int nesting) {
    for (int i = 0; i < statements; ++i) statement(nesting);
  }

  void braces(const std::string& head, int statements, int nesting) {
    line(head + " {");
    block(statements, nesting + 1);
    line("}");
  }

  void statement(int nesting) {
    const std::string x = variable(), y = variable(), value = expression();
    switch (random_.below(nesting < 2 ? 34 : 27)) {
      case 0: return choice();
      case 1:
      case 2: return line(fmt::format("global[{}] = {};", random_.below(8), value));
      case 3: return line(fmt::format("global[({}) & 7] = {};", x, value));
      case 4:
      case 5: return line(fmt::format("{} = {};", x, value));
      case 6: return line(fmt::format("local[({}) & 3] = {};", y, value));
      case 7: return line(fmt::format("local[{}] = {};", random_.below(4), value));
      case 8: return line(fmt::format("*p = {};", value));
      case 9: return line(fmt::format("p = {} ? &{} : q;", x, y));
      case 10: return line(fmt::format("q = &local[({}) & 3];", x));
      case 11: return line(fmt::format("r = {} ? &one : &two;", x));
      case 12: return line(fmt::format("r->left = {};", value));
      case 13: return line(fmt::format("one.right = {};", value));
      case 14: return line("two = *r; two.next = &one;");
      case 15: return line(fmt::format("put(p, {});", value));
      case 16: return line(fmt::format("leave({});", x));
      case 17: return line(fmt::format("spin({});", x));
      case 18: return line(fmt::format("own = {};", value));
      case 19: return line(fmt::format("pthread_setspecific(key, (void *)(intptr_t)({}));", value));
      case 20: return line(fmt::format("s[({}) & 3] = (char)('a' + (({}) & 1));", x, y));
      case 21: return line("strcpy(t, s);");
      case 22: return line(fmt::format("qsort(local, 4, sizeof local[0], compare); {} = local[0];", x));
      case 23:
        return line(
            fmt::format("head = malloc(sizeof *head + ({} & 3)); head->right = {}; {} = head->right;", x, value, y));
      case 24: return line(fmt::format("r->array[({}) & 3] = {};", x, value));
      case 25: return line(fmt::format("shared.{} = {};", random_.chance(50) ? "left" : "right", value));
      case 26: return line("memcpy(&local[1], one.array, 8);");
      case 27:
      case 28: return braces(fmt::format("if ({} > {})", x, y), 2, nesting);
      case 29: braces(fmt::format("if ({} == {})", x, random_.below(3)), 1, nesting); return braces("else", 2, nesting);
      case 30: {
        const std::string i = fmt::format("i{}", next_++);
        return braces(fmt::format("for (int {0} = 0; {0} < ({1} & 3); ++{0})", i, x), 2, nesting);
      }
      case 31: {
        const std::string i = fmt::format("i{}", next_++);
        line(fmt::format("for (int {0} = 0; {0} < 4; ++{0}) {{", i));
        line(fmt::format("if ({} > 3) {};", x, random_.chance(50) ? "break" : "continue"));
        block(2, nesting + 1);
        return line("}");
      }
      case 32:
        line(fmt::format("switch ({}) {{ case 0: {} = 9; break; case 1: {} = 8; /* on */ default:", x, y, y));
        block(1, nesting + 1);
        return line("}");
      default: return line(fmt::format("if ({} == 4) return;", x));
    }
  }

  oracle::RandomNumbers random_;
  std::string text_;
  int next_ = 0;
};

}  // namespace

std::string random_functions(uint64_t seed, int count) {
  std::string text = kHelpers, calls;
  for (int i = 0; i < count; ++i) {
    text += FunctionMaker(seed + static_cast<uint64_t>(i)).make(i);
    calls += fmt::format("    case {0}: f{0}(); break;\n", i);
  }
  text += "int main(int argc, char **argv) {\n  (void)argc;\n  pthread_key_create(&key, 0);\n";
  text += "  switch (atoi(argv[1])) {\n" + calls + "  }\n  return 0;\n}\n";
  return text;
}

}  // namespace heddle::tests
