// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Notices a thread that reads the same unchanged values again and again without writing anything.
//
// From the third equal read at one place on, further re-reads are no scheduling points and are not recorded: nothing
// new can come of them while no other thread runs, and bounded spins (std::atomic::wait spins before it blocks)
// still reach their end. After kStutterReads of them the thread is treated as waiting until one of the values it read
// has changed. docs/adr/0004 has the argument.
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
        progress();
        break;
      }
      if (read.repeats < 2) {
        ++read.repeats;
        return SpinVerdict::kFresh;
      }
      return ++stutters_ > kStutterReads ? SpinVerdict::kWait : SpinVerdict::kStutter;
    }
    note(address, size, value, location);
    return SpinVerdict::kFresh;
  }
  // True: certainly not read since the last progress.
  [[nodiscard]] bool is_new(std::uintptr_t address) const { return (seen_ >> (address >> 2) % 64 & 1) == 0; }
  // Of something that is new.
  void first_read(std::uintptr_t address, std::uint16_t size, std::uint64_t value, LocationId location) {
    if (count_ == 0) stutters_ = 0;
    note(address, size, value, location);
  }
  // The thread did something that others can see, or that may change what it does next.
  void progress() {
    seen_ = 0;
    count_ = 0;
    waits_ = 0;
  }
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
    reads_[count_++] = {address, value, location, size, 0};
    seen_ |= std::uint64_t{1} << (address >> 2) % 64;
  }

  struct Read {
    std::uintptr_t address;
    std::uint64_t value;
    LocationId location;
    std::uint16_t size;
    std::uint16_t repeats;
  };
  static constexpr std::uint32_t kReads = 8;
  std::uint64_t seen_ = 0;  // addresses of the reads, a bit each
  std::uint32_t count_ = 0;
  std::uint32_t stutters_ = 0;
  std::uint32_t waits_ = 0;
  Read reads_[kReads];
};

}  // namespace ravel::rt
