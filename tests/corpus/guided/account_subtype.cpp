// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// AccountSubtype(b, p): a ring of business and personal accounts, each with a manager of its own that deposits,
// withdraws and transfers to the next account. A personal account adds to the other one without its lock: an update may
// be lost. NAIVE: it takes that lock too, which closes a ring of locks. FIXED: locks are taken in the order of the
// accounts.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

class Account {
 public:
  explicit Account(int number) : number_(number) {}
  virtual ~Account() = default;
  virtual void transfer(Account& to, int amount) = 0;
  void deposit(int amount) {
    std::lock_guard<std::mutex> guard(lock_);
    balance_ += amount;  // here: deposit
  }
  void withdraw(int amount) {
    std::lock_guard<std::mutex> guard(lock_);
    balance_ -= amount;
  }
  int balance() const { return balance_; }

 protected:
  void transfer_under_both(Account& to, int amount) {
    Account& first = number_ < to.number_ ? *this : to;
    Account& second = number_ < to.number_ ? to : *this;
    std::lock_guard<std::mutex> one(first.lock_);
    std::lock_guard<std::mutex> other(second.lock_);
    balance_ -= amount;
    to.balance_ += amount;
  }
  static std::mutex& lock_of(Account& account) { return account.lock_; }
  static int& balance_of(Account& account) { return account.balance_; }

 private:
  int number_;
  std::mutex lock_;
  int balance_ = 100;
};

class Business : public Account {
 public:
  using Account::Account;
  void transfer(Account& to, int amount) override {
#ifdef FIXED
    transfer_under_both(to, amount);
#else
    std::lock_guard<std::mutex> guard(lock_of(*this));  // here: business outer
    balance_of(*this) -= amount;
    std::lock_guard<std::mutex> other(lock_of(to));  // here: business inner
    balance_of(to) += amount;
#endif
  }
};

class Personal : public Account {
 public:
  using Account::Account;
  void transfer(Account& to, int amount) override {
#ifdef FIXED
    transfer_under_both(to, amount);
#else
    std::lock_guard<std::mutex> guard(lock_of(*this));  // here: personal outer
    balance_of(*this) -= amount;
#ifdef NAIVE
    std::lock_guard<std::mutex> other(lock_of(to));  // here: personal inner
#endif
    balance_of(to) += amount;                        // here: unlocked
#endif
  }
};

std::vector<std::unique_ptr<Account>> accounts;

void manage(std::size_t number) {
  Account& own = *accounts[number];
  Account& next = *accounts[(number + 1) % accounts.size()];
  own.deposit(300);
  own.transfer(next, 10);
  own.deposit(10);
  own.withdraw(20);
  own.deposit(10);
  own.transfer(next, 10);
  own.withdraw(100);
}

int main(int argc, char** argv) {
  const int business = argc > 1 ? std::atoi(argv[1]) : 1;
  const int personal = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < business; ++i) accounts.push_back(std::make_unique<Business>(i));
  for (int i = 0; i < personal; ++i) accounts.push_back(std::make_unique<Personal>(business + i));
  std::vector<std::thread> managers;
  for (std::size_t i = 0; i < accounts.size(); ++i) managers.emplace_back(manage, i);
  for (std::thread& manager : managers) manager.join();
  for (const std::unique_ptr<Account>& account : accounts) {
    const int left = account->balance();
    ravel::check(left == 300, "left == 300");  // here: check
  }
}
