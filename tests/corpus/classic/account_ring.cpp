// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// account_ring N: N accounts in a ring; each thread moves money to the next one while it holds its own lock.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Account {
  std::mutex lock;
  int balance = 100;
};

void move(Account& from, Account& to) {
#ifdef FIXED
  std::scoped_lock both(from.lock, to.lock);
#else
  std::lock_guard hold(from.lock);
  std::lock_guard other(to.lock);
#endif
  --from.balance;
  ++to.balance;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 3;
  const auto accounts = std::make_unique<Account[]>(static_cast<std::size_t>(count));
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back([&, i] { move(accounts[i], accounts[(i + 1) % count]); });
  for (std::thread& one : all) one.join();
}
