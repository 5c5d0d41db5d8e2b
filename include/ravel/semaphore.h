// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphores with names. They are the C library's, so that they behave the same on real threads and under Ravel, where
// each operation is one event; std::counting_semaphore is atomics and futexes to a tool.
//   counting_semaphore  release() never waits
//   binary_semaphore    release() waits while the value is one: acquire and release take turns
#pragma once

#include <errno.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>

#include "ravel/record.h"

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

// One with a name, whose order can be recorded. While it is, the semaphore is a counter under the lock of its row.
class named_semaphore {
 public:
  named_semaphore(unsigned value, const char* name) : semaphore_(value), name_(name) { semaphore_.name(name); }

  void wait() {
    if (!name_.on()) return semaphore_.wait();
    recorded_object& row = name_.row();
    std::unique_lock lock(row.mutex);
    row.changed.wait(lock, [this] { return semaphore_.try_wait(); });
    note(row, this_thread(), "sem-wait");
  }
  [[nodiscard]] bool try_wait() {
    if (!name_.on()) return semaphore_.try_wait();
    recorded_object& row = name_.row();
    const std::lock_guard lock(row.mutex);
    const bool got = semaphore_.try_wait();
    note(row, this_thread(), "sem-trywait", got ? " ok" : " failed");
    return got;
  }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(const std::chrono::duration<Rep, Period>& time) {
    if (!name_.on()) return semaphore_.wait_for(time);
    recorded_object& row = name_.row();
    std::unique_lock lock(row.mutex);
    const bool got = row.changed.wait_for(lock, time, [this] { return semaphore_.try_wait(); });
    if (!got) recorder::get().timed_out.store(true);
    note(row, this_thread(), "sem-wait", got ? "" : " failed");
    return got;
  }
  void post() {
    if (!name_.on()) return semaphore_.post();
    recorded_object& row = name_.row();
    {
      const std::lock_guard lock(row.mutex);
      semaphore_.post();
      note(row, this_thread(), "sem-post");
    }
    row.changed.notify_one();
  }

 private:
  raw_semaphore semaphore_;
  recorded_name name_;
};

// The one permit of a monitor's entry. Whoever leaves need not be the one who came. On real threads it is a word that
// is changed in place as long as nobody waits (Drepper: Futexes are tricky, mutex 2).
class named_permit {
 public:
  explicit named_permit(const char* name) : semaphore_(1, name) {}

  void wait() {
    if (by_semaphore()) return semaphore_.wait();
    int seen = kFree;
    if (word_.compare_exchange_strong(seen, kTaken, std::memory_order_acquire, std::memory_order_relaxed)) return;
    if (seen != kAwaited) seen = word_.exchange(kAwaited, std::memory_order_acquire);
    while (seen != kFree) {
      (void)syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, kAwaited, nullptr, nullptr, 0);
      seen = word_.exchange(kAwaited, std::memory_order_acquire);
    }
  }
  void post() {
    if (by_semaphore()) return semaphore_.post();
    if (word_.exchange(kFree, std::memory_order_release) == kAwaited) {
      (void)syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
  }

 private:
  static constexpr int kFree = 0;
  static constexpr int kTaken = 1;
  static constexpr int kAwaited = 2;
  [[nodiscard]] bool by_semaphore() const {
    return controlled() || __builtin_expect(recording.load(std::memory_order_relaxed), 0);
  }

  static_assert(sizeof(std::atomic<int>) == 4);
  std::atomic<int> word_{kFree};
  named_semaphore semaphore_;
};

}  // namespace detail

class counting_semaphore {
 public:
  explicit counting_semaphore(unsigned permits, const char* name = nullptr) : permits_(permits, name) {}

  void acquire() { permits_.wait(); }
  [[nodiscard]] bool try_acquire() { return permits_.try_wait(); }
  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const std::chrono::duration<Rep, Period>& time) {
    return permits_.wait_for(time);
  }
  void release() { permits_.post(); }

 private:
  detail::named_semaphore permits_;
};

// Its permit and the room for one: at any time there is one of the two, or one of them is on its way to the other.
class binary_semaphore {
 public:
  explicit binary_semaphore(unsigned permits, const char* name = nullptr)
      : permit_(permits, name), room_(permits < 2 ? 1 - permits : 0) {
    if (permits > 1) throw std::invalid_argument("ravel: a binary semaphore has no permit or one");
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
  detail::named_semaphore permit_;
  detail::raw_semaphore room_;
};

}  // namespace ravel
