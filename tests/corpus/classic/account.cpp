// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// account N: N threads deposit into one account; the balance is read and written under two different holds of the lock.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Account {
 public:
  void deposit(int amount) {
#ifdef FIXED
    std::lock_guard hold(lock_);
    balance_ += amount;
#else
    const int before = balance();
    std::lock_guard hold(lock_);
    balance_ = before + amount;
#endif
  }
  int balance() {
    std::lock_guard hold(lock_);
    return balance_;
  }

 private:
  std::mutex lock_;
  int balance_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  Account account;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back([&] { account.deposit(10); });
  for (std::thread& one : all) one.join();
  assert(account.balance() == 10 * threads);
}
