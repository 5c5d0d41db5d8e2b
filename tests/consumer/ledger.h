// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sum that loses bookings: load and store are two steps.
#pragma once

#include <atomic>

class Ledger {
 public:
  void book(int amount);
  int total() const { return total_.load(); }

 private:
  std::atomic<int> total_{0};
};
