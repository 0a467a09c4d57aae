// SPDX-License-Identifier: Apache-2.0
// A std::mutex locked twice by one thread, the second time in a callee, blocks it for ever.
// heddle: expect deadlock
// heddle: schedules all
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    set_balance(balance_ + amount);
  }
  void set_balance(int balance) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ = balance;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

int main() {
  Account account;
  std::thread thread([&] { account.deposit(5); });
  thread.join();
  return 0;
}
