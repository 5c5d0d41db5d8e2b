// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/known_choices.h"

#include <sys/mman.h>

#include "runtime/platform/raw.h"

namespace ravel {

void KnownChoices::prepare() {
  const long memory = rt::raw_syscall(SYS_mmap, 0, GrowingSet::bytes_for(kMaxEntries), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  constexpr long kLastError = -4095;
  room_ = memory > 0 || memory < kLastError;
  if (room_) keys_ = GrowingSet(reinterpret_cast<void*>(memory));
}

void KnownChoices::add(std::uint64_t key) {
  if (!room_ || entries_ == kMaxEntries || keys_.contains(key, capacity_)) return;
  capacity_ = keys_.grow(++entries_, capacity_);
  keys_.enter(key, capacity_);
}

}  // namespace ravel
