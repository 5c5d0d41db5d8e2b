// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/spin_watch.h"

namespace ravel::rt {

std::uint64_t peek(std::uintptr_t address, std::uint16_t size) {
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

SpinVerdict SpinWatch::before_read(std::uintptr_t address, std::uint16_t size, std::uint64_t value,
                                   LocationId location) {
  if (count_ == 0) stutters_ = 0;
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
  if (count_ == kReads) progress();  // reads too much to be a spin
  reads_[count_++] = {address, value, location, size, 0};
  return SpinVerdict::kFresh;
}

bool SpinWatch::value_changed() const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (peek(reads_[i].address, reads_[i].size) != reads_[i].value) return true;
  }
  return false;
}

}  // namespace ravel::rt
