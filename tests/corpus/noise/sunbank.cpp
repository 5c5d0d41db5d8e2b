// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sunbank THREADS TRANSACTIONS: each account has a lock, the bank's total has none.
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Account {
  std::mutex lock;
  int balance = 0;
};
int total = 0;
std::mutex total_lock;

void transact(Account& account, int count) {
  for (int i = 1; i <= count; ++i) {
    {
      const std::lock_guard hold(account.lock);
      account.balance += i;
    }
#ifdef FIXED
    const std::lock_guard hold(total_lock);
#endif
    const int before = total;  // here: first
    total = before + i;        // here: second
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const int count = argc > 2 ? std::atoi(argv[2]) : 2;
  const auto accounts = std::make_unique<Account[]>(static_cast<std::size_t>(threads));
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back([&, i] { transact(accounts[i], count); });
  for (std::thread& one : all) one.join();
  int sum = 0;
  for (int i = 0; i < threads; ++i) sum += accounts[i].balance;
  assert(sum == total);
}
