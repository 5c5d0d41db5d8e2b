// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// deadlock_d1 N: one thread books into the ledger and the journal, another audits them, N times each. They take the two
// locks, named objects both, in opposite orders.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

std::mutex ledger_lock;
std::mutex journal_lock;
int ledger = 0;
int journal = 0;

void book(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const std::lock_guard outer(ledger_lock);
    const std::lock_guard inner(journal_lock);
    ++ledger;
    ++journal;
  }
}

void audit(int rounds) {
  for (int i = 0; i < rounds; ++i) {
#ifdef FIXED
    const std::lock_guard outer(ledger_lock);
    const std::lock_guard inner(journal_lock);
#else
    const std::lock_guard outer(journal_lock);
    const std::lock_guard inner(ledger_lock);
#endif
    assert(ledger == journal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  std::thread booking(book, rounds);
  std::thread auditing(audit, rounds);
  booking.join();
  auditing.join();
}
