// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the tests of all three frameworks are about. deposit() loses money: another one may come between its two steps.
#pragma once

#include <atomic>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
#ifdef REPAIRED
    balance_.fetch_add(amount);
#else
    const int before = balance_.load();
    balance_.store(before + amount);
#endif
  }
  [[nodiscard]] int balance() const {
    return balance_.load();
  }

 private:
  std::atomic<int> balance_ = 0;
};

inline int balance_after_two_deposits() {
  Account account;
  std::thread first([&account] { account.deposit(10); });
  std::thread second([&account] { account.deposit(5); });
  first.join();
  second.join();
  return account.balance();
}

// Good in every schedule.
inline int balance_after_one_deposit() {
  Account account;
  std::thread only([&account] { account.deposit(10); });
  std::thread reader([&account] { static_cast<void>(account.balance()); });
  only.join();
  reader.join();
  return account.balance();
}
