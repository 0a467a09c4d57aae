// SPDX-License-Identifier: Apache-2.0
// A stop_callback runs in the thread that requests the stop, or at once if the stop was requested before.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  std::atomic<int> calls{0};
  std::atomic<int> winners{0};
  std::thread::id caller, winner;
  std::stop_callback early(source.get_token(), [&] {
    calls++;
    caller = std::this_thread::get_id();
  });
  auto request = [&] {
    if (source.request_stop()) {
      winners++;
      winner = std::this_thread::get_id();
    }
  };
  std::thread first(request), second(request);
  first.join();
  second.join();
  assert(winners == 1 && calls == 1 && caller == winner);
  std::stop_callback late(source.get_token(), [&] { calls += 10; });
  assert(calls == 11);
  return 0;
}
