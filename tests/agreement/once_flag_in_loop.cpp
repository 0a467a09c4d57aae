// SPDX-License-Identifier: Apache-2.0
//
// Each round of the loop has a flag of its own, at the same address: the second round initialises, too.
//
// agree: violated assertion
#include <cassert>
#include <mutex>

int main() {
  for (int round = 0; round < 2; ++round) {
    std::once_flag flag;
    std::call_once(flag, [&] { assert(round == 0); });
  }
  return 0;
}
