// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// timeoutTamper: the program's own times, times uniform(0, 1): who takes a sleep or a time-out for synchronisation is
// shown.
#pragma once

#include <time.h>

#include "free/state.h"

namespace ravel::fr {

bool tampers();
bool is_valid_time(const timespec* time);
// Of microseconds, seconds, ...; itself, unless times are tampered with.
std::uint64_t shortened(std::uint64_t time);
timespec shortened(const timespec& time);
// Between now and then; itself, if then is over by that clock.
timespec shortened_until(clockid_t clock, const timespec& then);

// The deadline that a wait is to have instead of the program's own.
class Deadline {
 public:
  Deadline(clockid_t clock, const timespec* when) : when_(when) {
    if (!tampers() || !is_valid_time(when)) return;
    changed_ = shortened_until(clock, *when);
    when_ = &changed_;
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  [[nodiscard]] const timespec* get() const { return when_; }

 private:
  timespec changed_{};
  const timespec* when_;
};

}  // namespace ravel::fr
