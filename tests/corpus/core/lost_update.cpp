// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost update: two tellers add to the same balance without a lock; one deposit disappears.
//
// expect: kind=assertion threads=T1,T2 lines=deposit,check preemptions=1 also=data-race
// operations: create,start,end,join,lock,unlock
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class Account {
 public:
  void deposit(int amount) {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex_);
#endif
    balance_ += amount;  // here: deposit
  }
  int balance() const {
    return balance_;
  }

 private:
#ifdef FIXED
  std::mutex mutex_;
#endif
  int balance_ = 100;
};

}  // namespace

int main() {
  Account account;
  std::thread first_teller([&account] { account.deposit(50); });
  std::thread second_teller([&account] { account.deposit(25); });
  first_teller.join();
  second_teller.join();
  assert(account.balance() == 175);  // here: check
  return 0;
}
