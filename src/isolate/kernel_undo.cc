// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/kernel_undo.h"

#include <signal.h>
#include <unistd.h>

#include "runtime/platform/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

long address_of(const void* pointer) {
  return reinterpret_cast<long>(pointer);
}

}  // namespace

void KernelUndo::remember() {
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, 0, address_of(&signal_mask_), 8);
  break_ = static_cast<std::uintptr_t>(raw_syscall(SYS_brk, 0));
  file_mask_ = static_cast<unsigned>(raw_syscall(SYS_umask, 022));
  raw_syscall(SYS_umask, file_mask_);
  if (raw_syscall(SYS_getcwd, address_of(directory_), sizeof directory_) <= 0) directory_[0] = 0;
}

bool KernelUndo::opened(long fd) {
  if (fd < 0) return true;
  if (fd >= kMaxDescriptor) return false;
  descriptor_bits_[fd / 64] |= std::uint64_t{1} << (fd % 64);
  ++descriptors_;
  return true;
}

bool KernelUndo::is_own(long fd) const {
  return fd >= 0 && fd < kMaxDescriptor && (descriptor_bits_[fd / 64] >> (fd % 64) & 1) != 0;
}

void KernelUndo::closed(long fd) {
  if (!is_own(fd)) return;
  descriptor_bits_[fd / 64] &= ~(std::uint64_t{1} << (fd % 64));
  --descriptors_;
}

bool KernelUndo::mapped(std::uintptr_t address, std::size_t bytes) {
  if (is_own_mapping(address, bytes)) return true;
  if (mappings_ == kMaxMappings) return false;
  mapping_[mappings_++] = {address, bytes};
  return true;
}

bool KernelUndo::is_own_mapping(std::uintptr_t address, std::size_t bytes) const {
  for (int i = 0; i < mappings_; ++i) {
    const std::uintptr_t begin = mapping_[i].address;
    const std::uintptr_t end = begin + ((mapping_[i].bytes + 4095) & ~std::size_t{4095});
    if (address >= begin && address <= end && bytes <= end - address) return true;
  }
  return false;
}

bool KernelUndo::will_change_action(int signal) {
  if (signal < 1 || signal >= kSignals || signal == SIGSYS) return false;
  if (action_saved_[signal]) return true;
  action_saved_[signal] = true;
  ++actions_;
  return raw_syscall(SYS_rt_sigaction, signal, 0, address_of(&action_[signal]), 8) == 0;
}

bool KernelUndo::will_set_break(std::uintptr_t address) {
  if (address != 0 && address < break_) return false;
  break_changed_ = break_changed_ || address > break_;
  return true;
}

void KernelUndo::close_descriptors() const {
  for (int word = 0; word < kMaxDescriptor / 64; ++word) {
    for (std::uint64_t bits = descriptor_bits_[word]; bits != 0; bits &= bits - 1) {
      raw_syscall(SYS_close, word * 64 + __builtin_ctzll(bits));
    }
  }
}

bool KernelUndo::restore_actions() const {
  for (int signal = 1; signal < kSignals; ++signal) {
    if (!action_saved_[signal]) continue;
    if (raw_syscall(SYS_rt_sigaction, signal, address_of(&action_[signal]), 0, 8) != 0) return false;
  }
  return true;
}

bool KernelUndo::undo() const {
  bool done = true;
  if (signal_sent_) {
    std::uint64_t pending = 0;
    raw_syscall(SYS_rt_sigpending, address_of(&pending), 8);
    done = pending == 0;
  }
  if (descriptors_ != 0) close_descriptors();
  for (int i = 0; i < mappings_; ++i) {
    raw_syscall(SYS_munmap, static_cast<long>(mapping_[i].address), static_cast<long>(mapping_[i].bytes));
  }
  if (actions_ != 0) done = restore_actions() && done;
  if (break_changed_) {
    done = static_cast<std::uintptr_t>(raw_syscall(SYS_brk, static_cast<long>(break_))) == break_ && done;
  }
  if (directory_changed_) {
    done = directory_[0] == '/' && raw_syscall(SYS_chdir, address_of(directory_)) == 0 && done;
  }
  if (mask_changed_) raw_syscall(SYS_umask, file_mask_);
  if (done && signal_mask_changed_) raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&signal_mask_), 0, 8);
  return done;
}

}  // namespace ravel
