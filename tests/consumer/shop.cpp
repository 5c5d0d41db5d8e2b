// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <cassert>
#include <thread>

#include "ledger.h"

int main() {
  Ledger ledger;
  std::thread first([&ledger] { ledger.book(10); });
  std::thread second([&ledger] { ledger.book(5); });
  first.join();
  second.join();
  assert(ledger.total() == 15);
  return 0;
}
