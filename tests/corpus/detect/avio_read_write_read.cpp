// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Check then act: the balance is looked at twice, in two sections of the same lock.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=first,between,last preemptions=1 message=see.different.values
// options: --detect avio
#include <mutex>
#include <thread>

int balance = 100;
std::mutex mutex;

bool can_pay() {
  std::lock_guard<std::mutex> guard(mutex);
  return balance >= 80;  // here: first
}

int paid() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  const int seen = balance;
  return seen >= 80 ? seen : 0;
#else
  if (!can_pay()) return 0;
  std::lock_guard<std::mutex> guard(mutex);
  return balance;  // here: last
#endif
}

int main() {
  std::thread buyer([] { paid(); });
  std::thread owner([] {
    std::lock_guard<std::mutex> guard(mutex);
    balance = 0;  // here: between
  });
  buyer.join();
  owner.join();
  return 0;
}
