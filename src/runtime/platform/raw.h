// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// System calls without libc (no errno, no cancellation points, not interposable) and a tiny printer. Usable anywhere,
// also in signal handlers and before any constructor ran.
#pragma once

#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

namespace ravel::rt {

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// Text in a fixed buffer; what does not fit is dropped. Always zero-terminated.
class TextBuffer {
 public:
  TextBuffer(char* buffer, std::size_t capacity) : buffer_(buffer), capacity_(capacity) {
    if (capacity_ != 0) buffer_[0] = 0;
  }
  TextBuffer& text(const char* s);
  TextBuffer& decimal(std::uint64_t value);
  TextBuffer& hex(std::uint64_t value);
  [[nodiscard]] const char* c_str() const { return buffer_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void put(char c);
  char* buffer_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

void write_error(const char* text);

// Our own bug: says what, with the caller's address, and ends the process with SIGABRT, whatever the program has set
// up.
// Says in the result of the execution that the runtime itself failed. Supplied by state/.
void note_internal_error(const char* text);

[[noreturn]] void fatal(const char* what, std::uint64_t detail = 0);

}  // namespace ravel::rt
