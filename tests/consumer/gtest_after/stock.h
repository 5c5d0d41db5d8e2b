// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#pragma once

#include <mutex>

class Stock {
 public:
  explicit Stock(int count) : count_(count) {}

  // False: sold out.
  bool sell() {
    if (count() == 0) return false;
    const std::lock_guard lock(mutex_);
    --count_;
    return true;
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  int count_;
};
