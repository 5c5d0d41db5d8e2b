// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/fiber/context_switch.h"

#include <immintrin.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "runtime/platform/raw.h"

namespace ravel::rt {

namespace {
constexpr int kArchSetFs = 0x1002;
constexpr int kArchGetFs = 0x1003;
constexpr unsigned long kHwcap2Fsgsbase = 1u << 1;
constexpr std::uint32_t kDefaultMxcsr = 0x1f80;
constexpr std::uint32_t kDefaultX87Control = 0x37f;
int known = -1;  // whether the kernel lets user code set the thread pointer; -1: not looked up
}  // namespace

void forbid_fsgsbase() {
  known = 0;
}

bool has_fsgsbase() {
  if (known < 0) known = (getauxval(AT_HWCAP2) & kHwcap2Fsgsbase) != 0 ? 1 : 0;
  return known == 1;
}

std::uint64_t read_fs_base() {
  if (has_fsgsbase()) return _readfsbase_u64();
  std::uint64_t value = 0;
  raw_syscall(SYS_arch_prctl, kArchGetFs, reinterpret_cast<long>(&value));
  return value;
}

void write_fs_base(std::uint64_t value) {
  if (has_fsgsbase()) {
    _writefsbase_u64(value);
  } else {
    raw_syscall(SYS_arch_prctl, kArchSetFs, static_cast<long>(value));
  }
}

void* make_context(void* top, void (*entry)(void*), void* argument) {
  // The layout that ravel_switch pops. rsp must be 16-byte aligned at the `call` in ravel_fiber_entry.
  auto* sp = reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63});
  *--sp = 0;
  *--sp = 0;
  *--sp = reinterpret_cast<std::uint64_t>(&ravel_fiber_entry);
  *--sp = 0;                                          // rbp
  *--sp = 0;                                          // rbx
  *--sp = reinterpret_cast<std::uint64_t>(argument);  // r12
  *--sp = reinterpret_cast<std::uint64_t>(entry);     // r13
  *--sp = 0;                                          // r14
  *--sp = 0;                                          // r15
  *--sp = kDefaultMxcsr | (std::uint64_t{kDefaultX87Control} << 32);
  return sp;
}

}  // namespace ravel::rt
