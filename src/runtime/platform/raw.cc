// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/platform/raw.h"

#include <signal.h>

namespace ravel::rt {

void TextBuffer::put(char c) {
  if (size_ + 1 >= capacity_) return;
  buffer_[size_++] = c;
  buffer_[size_] = 0;
}

TextBuffer& TextBuffer::text(const char* s) {
  if (s == nullptr) return *this;
  while (*s != 0) put(*s++);
  return *this;
}

TextBuffer& TextBuffer::decimal(std::uint64_t value) {
  char digits[20];
  int n = 0;
  do {
    digits[n++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (n > 0) put(digits[--n]);
  return *this;
}

TextBuffer& TextBuffer::hex(std::uint64_t value) {
  text("0x");
  bool leading = true;
  for (int shift = 60; shift >= 0; shift -= 4) {
    const unsigned digit = (value >> shift) & 15;
    if (digit == 0 && leading && shift != 0) continue;
    leading = false;
    put("0123456789abcdef"[digit]);
  }
  return *this;
}

void write_error(const char* text) {
  std::size_t n = 0;
  while (text[n] != 0) ++n;
  raw_syscall(SYS_write, 2, reinterpret_cast<long>(text), static_cast<long>(n));
}

void fatal(const char* what, std::uint64_t detail) {
  char buffer[512];
  TextBuffer out(buffer, sizeof buffer);
  out.text("ravel: internal error in the runtime: ").text(what).text(" (").hex(detail).text(") called from ");
  out.hex(reinterpret_cast<std::uint64_t>(__builtin_return_address(0))).text("; please report\n");
  write_error(buffer);
  note_internal_error(buffer);
  // SIGABRT with the default action, even if the program ignores or handles it.
  struct KernelSigaction {
    void* handler;
    unsigned long flags;
    void* restorer;
    unsigned long mask;
  } action = {};
  raw_syscall(SYS_rt_sigaction, SIGABRT, reinterpret_cast<long>(&action), 0, 8);
  unsigned long none = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&none), 0, 8);
  raw_syscall(SYS_kill, raw_syscall(SYS_getpid), SIGABRT);
  for (;;) raw_syscall(SYS_exit_group, 134);
}

}  // namespace ravel::rt
