// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accounts in a ring and a thread for each, which deposits, withdraws and transfers to the next account. `kTakesOther`:
// a transfer takes the lock of the other account too, behind its own.
#pragma once

#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

template <bool kTakesOther>
class Account {
 public:
  void deposit(int amount) {
    const std::lock_guard hold(lock_);
    balance_ += amount;
  }
  void withdraw(int amount) {
    const std::lock_guard hold(lock_);
    balance_ -= amount;
  }
  void transfer(Account& to, int amount) {
#ifdef FIXED
    const std::scoped_lock both(lock_, to.lock_);
#else
    const std::lock_guard hold(lock_);
    std::unique_lock other(to.lock_, std::defer_lock);
    if constexpr (kTakesOther) other.lock();
#endif
    balance_ -= amount;
    to.balance_ += amount;
  }
  int balance() {
    const std::lock_guard hold(lock_);
    return balance_;
  }

 private:
  std::mutex lock_;
  int balance_ = 100;
};

template <class Account>
void manage(Account& own, Account& next) {
  own.deposit(300);
  own.withdraw(100);
  own.transfer(next, 100);
}

template <class Account>
void run_ring(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 5;
  const auto accounts = std::make_unique<Account[]>(static_cast<std::size_t>(count));
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back([&, i] { manage(accounts[i], accounts[(i + 1) % count]); });
  for (std::thread& one : all) one.join();
  for (int i = 0; i < count; ++i) assert(accounts[i].balance() == 300);
}
