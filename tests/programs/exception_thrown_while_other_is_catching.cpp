// SPDX-License-Identifier: Apache-2.0
// One thread sits inside its catch block while another throws and catches; current exceptions do not mix.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <exception>
#include <semaphore>
#include <string>
#include <thread>

std::binary_semaphore in_catch(0), other_done(0);

int main() {
  std::thread first([] {
    try {
      throw std::string("first");
    } catch (const std::string& text) {
      in_catch.release();
      other_done.acquire();
      assert(text == "first");
      try {
        throw;
      } catch (const std::string& again) {
        assert(&again == &text);
      }
    }
    assert(!std::current_exception());
  });
  std::thread second([] {
    in_catch.acquire();
    assert(!std::current_exception());
    assert(std::uncaught_exceptions() == 0);
    try {
      throw 2;
    } catch (int n) {
      assert(n == 2);
    }
    other_done.release();
  });
  first.join();
  second.join();
  return 0;
}
