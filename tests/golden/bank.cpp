// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The source that the traces of samples.cc speak of. It is shown, never compiled.
#include <cassert>
#include <mutex>
#include <thread>

int balance = 100;
std::mutex a, b;

void deposit(int amount) {
  int seen = balance;
  balance = seen + amount;
}

void first() {
  std::lock_guard hold(a);
  std::lock_guard more(b);
}

void second() {
  std::lock_guard hold(b);
  std::lock_guard more(a);
}

int main() {
  std::thread t1(deposit, 30), t2(deposit, -30);
  t1.join();
  t2.join();
  assert(balance == 100);
}
