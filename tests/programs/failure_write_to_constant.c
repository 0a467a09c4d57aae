// SPDX-License-Identifier: Apache-2.0
// A write into read-only memory raises SIGSEGV, and it is no null dereference.
// heddle: expect signal SEGV
// heddle: schedules all
static const char text[] = "constant text";

static void change(const char* where) { *(volatile char*)where = 'C'; }

int main(void) {
  change(text);
  return 0;
}
