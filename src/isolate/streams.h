// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The program's standard streams between executions: what it printed is captured in files that hold the output of one
// execution, and it reads its input from the start each time.
#pragma once

#include <cstdint>

namespace ravel {

struct SharedBlock;

class Streams {
 public:
  explicit Streams(const SharedBlock& block);
  // Empty output, input from its start.
  void rewind() const;
  // A hash of what the execution has printed.
  [[nodiscard]] std::uint64_t output_hash() const;

 private:
  bool captured_ = false;  // stdout and stderr are files of ours
  bool seekable_input_ = false;
};

}  // namespace ravel
