// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a program writes, in memory of its own: nothing is lost when the program is killed, and nothing blocks it.
#pragma once

#include <cstddef>
#include <string>

#include "model/text/result.h"

namespace ravel {

class OutputCapture {
 public:
  OutputCapture() = default;
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;
  ~OutputCapture();

  Result<void> open();
  // Of stream 1 or 2; -1: not captured.
  [[nodiscard]] int fd(int stream) const { return fds_[stream == 2 ? 1 : 0]; }
  // At most `limit` bytes of its end.
  [[nodiscard]] std::string text(int stream, std::size_t limit = 64 * 1024) const;
  // A program that writes without end must not fill the machine's memory.
  void bound() const;
  void clear() const;

 private:
  int fds_[2] = {-1, -1};
};

}  // namespace ravel
