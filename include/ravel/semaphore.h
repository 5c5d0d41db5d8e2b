// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphores with names. They are the C library's, so that they behave the same on real threads and under Ravel, where
// each operation is one event; std::counting_semaphore is atomics and futexes to a tool.
//   counting_semaphore  release() never waits
//   binary_semaphore    release() waits while the value is one: acquire and release take turns
#pragma once

#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include <chrono>
#include <stdexcept>

#include "ravel/ravel.h"

namespace ravel {
namespace detail {

// sem_t as the constructs use it. It is not destroyed: that frees nothing, and whoever has just been let through by a
// post may end its life while the post is on its way out.
class raw_semaphore {
 public:
  explicit raw_semaphore(unsigned value) {
    if (sem_init(&semaphore_, 0, value) != 0) throw std::invalid_argument("ravel: a semaphore cannot have that value");
  }
  raw_semaphore(const raw_semaphore&) = delete;
  raw_semaphore& operator=(const raw_semaphore&) = delete;

  void wait() {
    while (sem_wait(&semaphore_) != 0) {  // interrupted by a handler
    }
  }
  [[nodiscard]] bool try_wait() { return sem_trywait(&semaphore_) == 0; }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(const std::chrono::duration<Rep, Period>& time) {
    timespec until = {};
    clock_gettime(CLOCK_REALTIME, &until);
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
    const long long total = until.tv_nsec + (nanoseconds > 0 ? nanoseconds : 0);
    until.tv_sec += static_cast<time_t>(total / 1'000'000'000);
    until.tv_nsec = static_cast<long>(total % 1'000'000'000);
    while (sem_timedwait(&semaphore_, &until) != 0) {
      if (errno != EINTR) return false;
    }
    return true;
  }
  void post() {
    if (sem_post(&semaphore_) != 0) throw std::overflow_error("ravel: too many permits of a semaphore");
  }
  void name(const char* text) {
    if (text != nullptr) label(semaphore_, text);
  }

 private:
  sem_t semaphore_;
};

}  // namespace detail

class counting_semaphore {
 public:
  explicit counting_semaphore(unsigned permits, const char* name = nullptr) : permits_(permits) { permits_.name(name); }

  void acquire() { permits_.wait(); }
  [[nodiscard]] bool try_acquire() { return permits_.try_wait(); }
  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const std::chrono::duration<Rep, Period>& time) {
    return permits_.wait_for(time);
  }
  void release() { permits_.post(); }

 private:
  detail::raw_semaphore permits_;
};

// Its permit and the room for one: at any time there is one of the two, or one of them is on its way to the other.
class binary_semaphore {
 public:
  explicit binary_semaphore(unsigned permits, const char* name = nullptr)
      : permit_(permits), room_(permits < 2 ? 1 - permits : 0) {
    if (permits > 1) throw std::invalid_argument("ravel: a binary semaphore has no permit or one");
    permit_.name(name);
  }

  void acquire() {
    permit_.wait();
    room_.post();
  }
  [[nodiscard]] bool try_acquire() {
    if (!permit_.try_wait()) return false;
    room_.post();
    return true;
  }
  void release() {
    room_.wait();
    permit_.post();
  }

 private:
  detail::raw_semaphore permit_;
  detail::raw_semaphore room_;
};

}  // namespace ravel
