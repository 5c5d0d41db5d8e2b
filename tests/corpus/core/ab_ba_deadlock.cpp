// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// AB-BA: two transfers in opposite directions take the same two locks in opposite orders.
//
// expect: kind=deadlock threads=T1,T2 lines=first,second preemptions=1
// operations: lock,unlock,create,join
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
#ifdef FIXED
  // One order for everybody: by address.
  const bool in_order = std::less<Account*>()(&from, &to);
  std::mutex& outer = in_order ? from.mutex : to.mutex;
  std::mutex& inner = in_order ? to.mutex : from.mutex;
#else
  std::mutex& outer = from.mutex;
  std::mutex& inner = to.mutex;
#endif
  outer.lock();  // here: first
  inner.lock();  // here: second
  from.balance -= amount;
  to.balance += amount;
  inner.unlock();
  outer.unlock();
}

}  // namespace

int main() {
  Account savings;
  Account checking;
  std::thread rent([&] { transfer(checking, savings, 30); });
  std::thread salary([&] { transfer(savings, checking, 70); });
  rent.join();
  salary.join();
  assert(savings.balance + checking.balance == 200);
  return 0;
}
