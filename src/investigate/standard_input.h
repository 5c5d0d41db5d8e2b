// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the program reads from its standard input: the same for every execution. A file is read from its beginning each
// time; a pipe is read once, into memory, and every execution gets a view of its own.
#pragma once

#include <string>

#include "model/text/result.h"

namespace ravel {

// Path of the file our standard input was redirected from; empty for anything that cannot be read again.
std::string redirected_stdin();

class StandardInput {
 public:
  StandardInput() = default;
  StandardInput(StandardInput&& other) noexcept;
  StandardInput& operator=(StandardInput&&) = delete;
  ~StandardInput();

  // `option` is that of --stdin: a path, "-" for our own input to its end, or empty: our own if it is a file, or a pipe
  // that has something to give.
  static Result<StandardInput> open(const std::string& option);

  [[nodiscard]] const std::string& path() const { return path_; }  // to be opened; empty: /dev/null
  [[nodiscard]] bool in_memory() const { return fd_ >= 0; }
  [[nodiscard]] const std::string& text() const { return text_; }  // of one that is in memory
  [[nodiscard]] const std::string& note() const { return note_; }  // what the user should know; else empty

 private:
  Result<void> read_pipe(bool patiently);

  std::string path_;
  std::string text_;
  std::string note_;
  int fd_ = -1;
};

}  // namespace ravel
