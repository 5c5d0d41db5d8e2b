// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Monitors: classes whose methods exclude each other, with conditions that are served first come, first served.
//   class Buffer : ravel::monitor_su {
//     ravel::condition not_full{*this, "not_full"};
//    public:
//     void put(int x) { auto in = enter("put"); if (count == 2) not_full.wait(); ... }
//   };
//   monitor_sc  signal and continue: who was signalled enters again behind others, so it waits in a loop
//   monitor_su  signal and urgent wait: who was signalled goes on at once; the signaller has the monitor next, before
//               anybody outside, so `if' is enough
// The order of entries decides all the rest: signals wake the longest waiting thread, and nobody wakes by itself.
//
// A thread that waits inside has a semaphore of its own, on its stack. What is inside is touched by one thread at a
// time: whoever has the entry, or was given it.
#pragma once

#include <cstddef>

#include "ravel/semaphore.h"

namespace ravel {

class condition;

class monitor {
 public:
  monitor(const monitor&) = delete;
  monitor& operator=(const monitor&) = delete;

  // Inside until the end of its life.
  class [[nodiscard]] inside {
   public:
    explicit inside(monitor& of) : monitor_(of) { monitor_.entry_.wait(); }
    ~inside() { monitor_.give_on(); }
    inside(const inside&) = delete;
    inside& operator=(const inside&) = delete;

   private:
    monitor& monitor_;
  };

 protected:
  enum class signals { continue_, hand_over };
  monitor(signals rule, const char* name) : rule_(rule), entry_(name) {}
  ~monitor() = default;

  // The method's name is for whoever reads the program.
  inside enter(const char* /*method*/ = nullptr) { return inside(*this); }

 private:
  friend class condition;

  struct sleeper {
    detail::raw_semaphore go{0};
    sleeper* next = nullptr;
  };

  // To the signaller that waits, or to whoever comes.
  void give_on() {
    if (urgent_ == nullptr) return entry_.post();
    sleeper* const next = urgent_;
    urgent_ = next->next;
    next->go.post();
  }

  const signals rule_;
  detail::named_permit entry_;
  sleeper* urgent_ = nullptr;  // signallers, the last one first
};

class monitor_sc : public monitor {
 protected:
  explicit monitor_sc(const char* name = nullptr) : monitor(signals::continue_, name) {}
};
class monitor_su : public monitor {
 protected:
  explicit monitor_su(const char* name = nullptr) : monitor(signals::hand_over, name) {}
};

// All functions are for threads that are inside.
class condition {
 public:
  explicit condition(monitor& of, const char* name = nullptr) : monitor_(of), name_(name) {}
  condition(const condition&) = delete;
  condition& operator=(const condition&) = delete;

  void wait() {
    monitor::sleeper self;
    self.go.name(name_);
    (last_ == nullptr ? first_ : last_->next) = &self;
    last_ = &self;
    ++length_;
    monitor_.give_on();
    self.go.wait();
    if (monitor_.rule_ == monitor::signals::continue_) monitor_.entry_.wait();
  }

  // Nobody waits: nothing happens.
  void signal() {
    monitor::sleeper* const woken = take_out();
    if (woken == nullptr) return;
    if (monitor_.rule_ == monitor::signals::continue_) return woken->go.post();
    monitor::sleeper self;
    self.next = monitor_.urgent_;
    monitor_.urgent_ = &self;
    woken->go.post();
    self.go.wait();
  }

  // Each in its turn: with hand-over, one has left or waits again before the next goes on.
  void signal_all() {
    for (std::size_t left = length_; left != 0 && !empty(); --left) signal();
  }

  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] std::size_t length() const { return length_; }

 private:
  monitor::sleeper* take_out() {
    monitor::sleeper* const woken = first_;
    if (woken == nullptr) return nullptr;
    first_ = woken->next;
    if (first_ == nullptr) last_ = nullptr;
    --length_;
    return woken;
  }

  monitor& monitor_;
  const char* const name_;
  monitor::sleeper* first_ = nullptr;
  monitor::sleeper* last_ = nullptr;
  std::size_t length_ = 0;
};

}  // namespace ravel
