// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What others have sent to a thread, signals and cancellation, and what it lets through: one state per thread, with the
// rules of POSIX. The runtime keeps it and acts on it at scheduling points. The searches do not compute it, since masks
// and states of cancellation are no operations; what they do instead is in docs/adr/0011.
//
// Sets of signals are words: bit n - 1 is signal n. A signal that is there already is not there twice.
#pragma once

#include <cstdint>

namespace ravel {

struct Mail {
  std::uint64_t signals = 0;      // sent to this thread and not yet taken
  std::uint64_t signal_mask = 0;  // blocked
  bool cancel_requested = false;
  bool cancel_disabled = false;
  bool cancel_at_once = false;  // asynchronous: at any point
  bool cancelling = false;      // acting on it, or exiting: no more cancellation
};

inline constexpr std::uint64_t signal_bit(int number) {
  return std::uint64_t{1} << (number - 1);
}
// Of several the one with the lowest number comes first.
inline constexpr int first_signal(std::uint64_t set) {
  return __builtin_ctzll(set) + 1;
}

inline constexpr bool lets_through(const Mail& mail, int number) {
  return (mail.signal_mask & signal_bit(number)) == 0;
}
inline constexpr std::uint64_t deliverable(const Mail& mail) {
  return mail.signals & ~mail.signal_mask;
}
inline constexpr bool has_signal(const Mail& mail) {
  return deliverable(mail) != 0;
}
// A cancellation that the thread has to act on at an operation.
inline constexpr bool must_cancel(const Mail& mail, bool cancellation_point) {
  return mail.cancel_requested && !mail.cancel_disabled && !mail.cancelling &&
         (cancellation_point || mail.cancel_at_once);
}

inline constexpr void leave_signal(Mail& mail, int number) {
  mail.signals |= signal_bit(number);
}
// The next signal whose handler runs. There is one.
inline constexpr int take_deliverable(Mail& mail) {
  const int number = first_signal(deliverable(mail));
  mail.signals &= ~signal_bit(number);
  return number;
}
// sigwait: what is there of a set, be it blocked or not, for the thread or for the process (`common`). 0: nothing.
inline constexpr std::uint64_t waiting_in_set(const Mail& mail, std::uint64_t common, std::uint64_t set) {
  return (mail.signals | common) & set;
}
// The thread's own before the one for the process.
inline constexpr int take_waited(Mail& mail, std::uint64_t& common, std::uint64_t set) {
  const int number = first_signal(waiting_in_set(mail, common, set));
  ((mail.signals & signal_bit(number)) != 0 ? mail.signals : common) &= ~signal_bit(number);
  return number;
}
// Signals for the process that every thread had blocked, as soon as one lets them through.
inline constexpr void take_common(Mail& mail, std::uint64_t& common) {
  const std::uint64_t taken = common & ~mail.signal_mask;
  common &= ~taken;
  mail.signals |= taken;
}

}  // namespace ravel
