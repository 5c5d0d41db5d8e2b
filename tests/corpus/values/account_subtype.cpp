// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// account_subtype B P: B business and P personal accounts in a ring, with a manager for each. A transfer is virtual:
// from a business account it deposits under the lock of the other account, from a personal one it writes the other
// balance without a lock. A few of the many conflicting accesses do harm.
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Account {
 public:
  virtual ~Account() = default;

  void deposit(int amount) {
    const std::lock_guard hold(lock_);
    balance_ += amount;
  }
  void withdraw(int amount) {
    const std::lock_guard hold(lock_);
    balance_ -= amount;
  }
  virtual void transfer(Account& to, int amount) = 0;
  int balance() {
    const std::lock_guard hold(lock_);
    return balance_;
  }

 protected:
  static void add_to(Account& account, int amount) { account.balance_ += amount; }

 private:
  std::mutex lock_;
  int balance_ = 100;
};

class Business final : public Account {
 public:
  void transfer(Account& to, int amount) override {
    withdraw(amount);
    to.deposit(amount);
  }
};

class Personal final : public Account {
 public:
  void transfer(Account& to, int amount) override {
    withdraw(amount);
#ifdef FIXED
    to.deposit(amount);
#else
    add_to(to, amount);
#endif
  }
};

class Manager {
 public:
  Manager(Account& own, Account& next) : own_(own), next_(next) {}
  void operator()() {
    own_.deposit(300);
    own_.transfer(next_, 10);
    own_.deposit(10);
    own_.withdraw(20);
    own_.deposit(10);
    own_.transfer(next_, 10);
    own_.withdraw(100);
  }

 private:
  Account& own_;
  Account& next_;
};

}  // namespace

int main(int argc, char** argv) {
  const int business = argc > 1 ? std::atoi(argv[1]) : 4;
  const int personal = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<std::unique_ptr<Account>> accounts;
  for (int i = 0; i < business; ++i) accounts.push_back(std::make_unique<Business>());
  for (int i = 0; i < personal; ++i) accounts.push_back(std::make_unique<Personal>());
  std::vector<Manager> managers;
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    managers.emplace_back(*accounts[i], *accounts[(i + 1) % accounts.size()]);
  }
  std::vector<std::thread> all;
  for (Manager& manager : managers) all.emplace_back([&manager] { manager(); });
  for (std::thread& one : all) one.join();
  for (const std::unique_ptr<Account>& account : accounts) assert(account->balance() == 300);
}
