// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// selective_wait: a receiver waits for a call to any of several entries and sync_ports, or a message of a port, whose
// guards are open.
//   ravel::selective_wait select;
//   select.add(deposit);   // 1
//   select.add(withdraw);  // 2
//   deposit.guard(full < 2);
//   withdraw.guard(full > 0);
//   switch (select.choose()) { case 1: buffer.push(deposit.accept_and_reply()); ... }
// The chosen one is accepted or received from next. What was waited for together stays together.
#pragma once

#include <chrono>
#include <stdexcept>
#include <vector>

#include "ravel/inbox.h"
#include "ravel/port.h"

namespace ravel {

// Nothing is open, and there is neither an alternative for that nor a delay.
class select_error : public std::logic_error {
 public:
  select_error() : std::logic_error("ravel: no alternative of a selective wait is open") {}
};

class selective_wait {
 public:
  // Each yields the number of the alternative, from 1.
  int add(detail::end& alternative) {
    if (!ends_.empty()) alternative.share_inbox_of(*ends_.front());
    ends_.push_back(&alternative);
    numbers_.push_back(++alternatives_);
    return alternatives_;
  }
  // The messages of a queue. Those that travel have no order in which they are there.
  template <class T>
  int add(port<T>& alternative) {
    detail::end& one = alternative.as_alternative();
    const int number = add(one);
    one.enlist();
    return number;
  }
  // When nobody calls at once.
  int add_else() { return else_ = ++alternatives_; }
  // When nobody has called for so long.
  template <class Rep, class Period>
  int add_delay(const std::chrono::duration<Rep, Period>& time) {
    delay_ = std::chrono::duration_cast<std::chrono::nanoseconds>(time);
    return delayed_ = ++alternatives_;
  }

  int choose() {
    std::uint64_t bits = 0;
    for (const detail::end* const one : ends_) {
      if (one->open_) bits |= std::uint64_t{1} << one->controlled_.bit;
    }
    if (bits == 0 && else_ == 0 && delayed_ == 0) throw select_error();
    if (ends_.empty()) return else_ != 0 ? else_ : delayed_;
    for (std::size_t at = 0; at < ends_.size(); ++at) {
      if (ends_[at]->open_ && ends_[at]->message_ != nullptr) return numbers_[at];  // chosen, and not received yet
    }
    const detail::patience how_long = else_ != 0      ? detail::patience::none
                                      : delayed_ != 0 ? detail::patience::until
                                                      : detail::patience::for_ever;
    const detail::arrival got = detail::end::take(*ends_.front()->kept_.back(), bits, how_long, delay_);
    if (got.at == nullptr) return else_ != 0 ? else_ : delayed_;
    if (got.from != nullptr) got.at->chosen_ = got.from;
    std::size_t at = 0;
    while (ends_[at] != got.at) ++at;
    return numbers_[at];
  }

 private:
  std::vector<detail::end*> ends_;
  std::vector<int> numbers_;
  std::chrono::nanoseconds delay_{0};
  int else_ = 0;
  int delayed_ = 0;
  int alternatives_ = 0;
};

}  // namespace ravel
