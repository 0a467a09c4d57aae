// SPDX-License-Identifier: Apache-2.0
//
// Tests of an account, with GoogleTest. What stands in HEDDLE_CHECK is run in every
// causally different order of its threads. withdraw() is wrong: between its look at
// the balance and the payment another thread may pay.
#include <atomic>
#include <heddle_gtest.hpp>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  int balance() const { return balance_; }
  void deposit(int amount) { balance_ += amount; }
  bool withdraw(int amount) {
    if (balance_ < amount) return false;
    balance_ -= amount;
    return true;
  }

 private:
  std::atomic<int> balance_;
};

TEST(Account, StartsWithItsBalance) { EXPECT_EQ(Account(10).balance(), 10); }

TEST(Account, KeepsDeposits) {
  HEDDLE_CHECK {
    Account account(0);
    std::thread other([&] { account.deposit(2); });
    account.deposit(3);
    other.join();
    EXPECT_EQ(account.balance(), 5);
  };
}

TEST(Account, IsNeverOverdrawn) {
  HEDDLE_CHECK {
    Account account(10);
    std::thread other([&] { account.withdraw(10); });
    account.withdraw(10);
    other.join();
    heddle_assert(account.balance() >= 0);
  };
}

int main(int argc, char** argv) { return heddle::run_all_tests(argc, argv); }
