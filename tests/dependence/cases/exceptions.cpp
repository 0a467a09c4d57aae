// SPDX-License-Identifier: Apache-2.0
extern "C" int __heddle_nondet_int(int lowest, int highest);
static int w, x, y, z;
struct Base { virtual int get() { return 1; } virtual ~Base() {} };
struct Derived : Base { int get() override { x = 4; return 2; } };  // on b, not a
static void check(int value) { if (value == 1) throw value; }
int main() {
  int a = __heddle_nondet_int(0, 1);  // from a, steers a
  int b = __heddle_nondet_int(0, 1);  // from b, steers b
  Base base;
  Derived derived;
  Base *object = b ? static_cast<Base *>(&derived) : &base;
  z = object->get();                // on b, not a
  try {
    check(a);
    y = 1;                          // on a, not b
  } catch (int caught) {
    w = caught;                     // on a, not b
  }
  return 0;
}
