// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A small bank. Each step of a transfer is guarded, the transfer as a whole is not: an audit that comes in between sees
// money that is nowhere. Under an ordinary scheduler this goes well for weeks. Build with -DFIXED for the repaired
// program.
#include <array>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

class Bank {
 public:
  void transfer(std::size_t from, std::size_t to, int amount) {
#ifdef FIXED
    std::lock_guard<std::mutex> whole(transfers_);
#endif
    add(from, -amount);
    add(to, amount);
  }

  int total() {
#ifdef FIXED
    std::lock_guard<std::mutex> whole(transfers_);
#endif
    int sum = 0;
    for (std::size_t account = 0; account < balances_.size(); ++account) {
      std::lock_guard<std::mutex> guard(mutex_);
      sum += balances_[account];
    }
    return sum;
  }

 private:
  void add(std::size_t account, int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balances_[account] += amount;
  }

  std::mutex mutex_;
#ifdef FIXED
  std::mutex transfers_;
#endif
  std::array<int, 2> balances_{100, 100};
};

Bank bank;

int main() {
  std::thread customer([] { bank.transfer(0, 1, 30); });
  std::thread auditor([] { assert(bank.total() == 200); });
  customer.join();
  auditor.join();
  return 0;
}
