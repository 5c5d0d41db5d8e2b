// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The driver's mapping of a SharedBlock: an anonymous memfd, so that nobody else on the machine can find it, or a file
// of our own that outlives us (checkpoint.h). Move-only; unmapped and closed with the object.
#pragma once

#include <string>

#include "model/text/result.h"
#include "wire/shared_block.h"

namespace ravel {

class SharedMemory {
 public:
  static Result<SharedMemory> create();
  // In a file that is replaced, or one that create_file() made.
  static Result<SharedMemory> create_file(const std::string& path);
  static Result<SharedMemory> open_file(const std::string& path);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  [[nodiscard]] SharedBlock& block() const { return *block_; }
  [[nodiscard]] int descriptor() const { return fd_; }

 private:
  SharedMemory(int fd, SharedBlock* block) : fd_(fd), block_(block) {}

  int fd_ = -1;
  SharedBlock* block_ = nullptr;
};

}  // namespace ravel
