// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A test of the library with ravel::explore(); built with and without instrumentation.
#include <ravel/ravel.h>

#include <thread>

#include "ledger.h"

int main() {
  const ravel::Result result = ravel::explore(
      [] {
        Ledger ledger;
        ravel::label(ledger, "ledger");
        std::thread first([&ledger] { ledger.book(10); });
        std::thread second([&ledger] { ledger.book(5); });
        first.join();
        second.join();
        ravel::observe("total", ledger.total());
        ravel::check(ledger.total() == 15, "no booking is lost");
      },
      {.name = "two bookings", .throw_on_failure = false});
  return result.passed ? 0 : 1;
}
