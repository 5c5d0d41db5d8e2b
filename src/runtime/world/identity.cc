// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/identity.h"

#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel::rt {

bool is_controlled_process() {
  return g.in_control && raw_syscall(SYS_getpid) == g.process;
}

namespace {
// The n-th child of a thread has the number n behind its parent's digits. Threads with too many ancestors or sisters
// for that are numbered above all others, in order of creation.
constexpr std::uint64_t kDigit = 256;
constexpr std::uint64_t kLineages = kDigit * kDigit * kDigit;

std::uint64_t lineage_code(ThreadIndex index) {
  std::uint64_t code = 0;
  std::uint64_t scale = 1;
  for (; index != 0 && scale < kLineages; scale *= kDigit) {
    const ThreadRecord& record = g.block->threads[index];
    if (record.ordinal >= kDigit) break;
    code += record.ordinal * scale;
    index = record.parent;
  }
  return index == 0 ? code : kLineages;
}
}  // namespace

pid_t virtual_thread_number(ThreadIndex index) {
  const std::uint64_t code = lineage_code(index);
  return kVirtualProcess + static_cast<pid_t>(code < kLineages ? code : kLineages + index);
}

ThreadIndex thread_with_number(pid_t number) {
  for (ThreadIndex index = 0; index < g.next_index; ++index) {
    if (virtual_thread_number(index) == number) return index;
  }
  return kNoThread;
}

bool is_own_thread(pid_t number) {
  return number >= kVirtualProcess && number < kVirtualProcess + static_cast<pid_t>(kLineages + kMaxThreads);
}

pid_t kernel_process(pid_t number) {
  return is_own_thread(number) ? g.process : number;
}

}  // namespace ravel::rt
