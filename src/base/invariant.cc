// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The failure path allocates nothing and formats by hand: it must work inside a program whose heap is broken.
#include "base/invariant.h"

#include <unistd.h>

#include <cstddef>

namespace ravel {
namespace {

InvariantHandler handler_in_force = nullptr;

class Line {
 public:
  void add(const char* text) {
    while (*text != 0 && length_ < sizeof(bytes_) - 1) bytes_[length_++] = *text++;
  }
  void add(int number) {
    char digits[12];
    std::size_t n = 0;
    do {
      digits[n++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (n > 0 && length_ < sizeof(bytes_) - 1) bytes_[length_++] = digits[--n];
  }
  void write_out() const {
    const char* at = bytes_;
    std::size_t left = length_;
    while (left > 0) {
      const ssize_t n = ::write(2, at, left);
      if (n <= 0) return;
      at += n;
      left -= static_cast<std::size_t>(n);
    }
  }

 private:
  char bytes_[512];
  std::size_t length_ = 0;
};

}  // namespace

InvariantHandler set_invariant_handler(InvariantHandler handler) {
  InvariantHandler old = handler_in_force;
  handler_in_force = handler;
  return old;
}

void invariant_failed(const InvariantFailure& failure) {
  if (handler_in_force != nullptr) {
    handler_in_force(failure);
  } else {
    Line line;
    line.add("ravel: internal error: ");
    line.add(failure.why);
    line.add(" (");
    line.add(failure.condition);
    line.add(" at ");
    line.add(failure.file);
    line.add(":");
    line.add(failure.line);
    line.add("); please report\n");
    line.write_out();
  }
  __builtin_trap();
}

}  // namespace ravel
