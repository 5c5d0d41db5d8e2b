// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Notices a thread that reads the same unchanged values again and again without writing anything.
//
// From the third equal read at one place on, further re-reads are no scheduling points and are not recorded: nothing
// new can come of them while no other thread runs, and bounded spins (std::atomic::wait spins before it blocks)
// still reach their end. After kStutterReads of them the thread is treated as waiting until one of the values it read
// has changed. docs/adr/0004 has the argument.
//
// A loop that ends although nothing has changed counts its reads. Schedules in which another thread comes between the
// skipped ones were not run, so no search is complete then: ExecutionResult::shortened names the loop. Loops that end
// in a futex wait are excepted: the wait compares the value again.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

inline constexpr std::uint32_t kStutterReads = 64;

// The value of up to 8 bytes at an address; 0 for longer ones (which are then never taken for a spin).
inline std::uint64_t peek(std::uintptr_t address, std::uint16_t size) {
  switch (size) {
    case 1:
      return *reinterpret_cast<const volatile std::uint8_t*>(address);
    case 2:
      return *reinterpret_cast<const volatile std::uint16_t*>(address);
    case 4:
      return *reinterpret_cast<const volatile std::uint32_t*>(address);
    case 8:
      return *reinterpret_cast<const volatile std::uint64_t*>(address);
    default:
      return 0;
  }
}

enum class SpinVerdict : std::uint8_t {
  kFresh,    // an ordinary read
  kAwaited,  // the same, but had the value not changed it would have been skipped
  kStutter,  // an unchanged re-read: skip point and event
  kWait,     // has stuttered long enough: wait for a change
};

class SpinWatch {
 public:
  // The thread is about to read `size` bytes at `address`, where `value` stands now.
  SpinVerdict before_read(std::uintptr_t address, std::uint16_t size, std::uint64_t value, LocationId location) {
    if (is_new(address)) {
      first_read(address, size, value, location);
      return SpinVerdict::kFresh;
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      Read& read = reads_[i];
      if (read.address != address || read.location != location) continue;
      if (read.value != value || read.size != size) {
        const bool awaited = is_awaited(read);
        saw_change(awaited);
        note(address, size, value, location);
        return awaited ? SpinVerdict::kAwaited : SpinVerdict::kFresh;
      }
      if (read.repeats < kFreshRepeats) {
        ++read.repeats;
        return SpinVerdict::kFresh;
      }
      return ++stutters_ > kStutterReads ? SpinVerdict::kWait : SpinVerdict::kStutter;
    }
    note(address, size, value, location);
    return SpinVerdict::kFresh;
  }
  // The read was executed and found `value`: others may have run at its point. A change that it saw ends a spin.
  void after_read(std::uintptr_t address, std::uint16_t size, std::uint64_t value, LocationId location) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (reads_[i].address != address || reads_[i].location != location || reads_[i].value == value) continue;
      saw_change(is_awaited(reads_[i]));
      return note(address, size, value, location);
    }
  }
  // True: certainly not read since the last progress.
  [[nodiscard]] bool is_new(std::uintptr_t address) const { return (seen_ >> (address >> 2) % 64 & 1) == 0; }
  // Of something that is new.
  void first_read(std::uintptr_t address, std::uint16_t size, std::uint64_t value, LocationId location) {
    note(address, size, value, location);
  }
  // The thread did something that others can see, or that may change what it does next.
  void progress() {
    if (__builtin_expect(shortened_, 0)) report_shortened();
    forget();
  }
  // The same where nothing was lost: it saw what it waited for, or blocks until somebody wakes it.
  void forget() {
    seen_ = 0;
    count_ = 0;
    waits_ = 0;
    shortened_ = false;
  }
  // A re-read is skipped at which another thread could have run.
  void shorten() { shortened_ = true; }
  // An attempt at something it had found taken will succeed.
  void see_free(std::uintptr_t address, LocationId location) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (reads_[i].address == address && reads_[i].location == location) return forget();
    }
  }
  // It waits from now on. On its own stack a loop changes variables itself: there any change after this one counts,
  // elsewhere every change since it has read.
  void begin_wait(std::uintptr_t stack, std::size_t stack_bytes);
  // One of the values it spins on is different now.
  [[nodiscard]] bool value_changed() const;
  // Called when the wait is over: the next kStutterReads re-reads are free again.
  void resume() {
    stutters_ = 0;
    ++waits_;
  }
  // Has re-read without any change for so long that it was set aside at least once.
  [[nodiscard]] bool stuck() const { return count_ != 0 && waits_ != 0; }
  // Its re-reads are being skipped at the moment.
  [[nodiscard]] bool stuttering() const { return count_ != 0 && stutters_ != 0; }
  [[nodiscard]] bool active() const { return count_ != 0; }

 private:
  void note(std::uintptr_t address, std::uint16_t size, std::uint64_t value, LocationId location) {
    if (count_ == kReads) progress();  // reads too much to be a spin
    if (count_ == 0) stutters_ = 0;
    reads_[count_++] = {address, value, value, location, size, 0};
    seen_ |= std::uint64_t{1} << (address >> 2) % 64;
  }

  struct Read {
    std::uintptr_t address;
    std::uint64_t value;
    std::uint64_t left;  // what stood there when the wait began
    LocationId location;
    std::uint16_t size;
    std::uint16_t repeats;
  };
  [[nodiscard]] static bool is_awaited(const Read& read) { return read.repeats >= kFreshRepeats; }
  // Of what it waited for, or of something else, which the thread may have written itself: then the loop is over.
  void saw_change(bool awaited) {
    if (awaited) {
      forget();
    } else {
      progress();
    }
  }

  // The loop ended although nothing had changed: how often it reads decides what it does, and that was not explored.
  void report_shortened() const;

  static constexpr std::uint32_t kReads = 8;
  static constexpr std::uint16_t kFreshRepeats = 2;
  std::uint64_t seen_ = 0;  // addresses of the reads, a bit each
  std::uint32_t count_ = 0;
  std::uint32_t stutters_ = 0;
  std::uint32_t waits_ = 0;
  bool shortened_ = false;
  Read reads_[kReads];
};

}  // namespace ravel::rt
