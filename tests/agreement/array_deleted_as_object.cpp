// SPDX-License-Identifier: Apache-2.0
//
// The memory of an array is released as if it were that of an object. The program goes on.
//
// agree: violated misuse
#include <cassert>

int main() {
  int* numbers = new int[3];
  delete numbers;
  return 0;
}
