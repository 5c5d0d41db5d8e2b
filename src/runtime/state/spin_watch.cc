// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/state/spin_watch.h"

#include "runtime/state/state.h"

namespace ravel::rt {

void SpinWatch::begin_wait(std::uintptr_t stack, std::size_t stack_bytes) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    Read& read = reads_[i];
    read.left = read.address - stack < stack_bytes ? peek(read.address, read.size) : read.value;
  }
}

bool SpinWatch::value_changed() const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (peek(reads_[i].address, reads_[i].size) != reads_[i].left) return true;
  }
  return false;
}

void SpinWatch::report_shortened() const {
  if (g.block == nullptr || g.block->result.shortened != 0) return;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (reads_[i].repeats >= kFreshRepeats) g.block->result.shortened = reads_[i].location;
  }
}

}  // namespace ravel::rt
