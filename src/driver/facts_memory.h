// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The table of static facts (wire/facts_table.h) in a sealed memfd: once made, nobody can write or resize it, the tool
// included. The program that runs inherits the descriptor and maps it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "model/text/result.h"

namespace ravel {

class FactsMemory {
 public:
  static Result<std::shared_ptr<const FactsMemory>> create(std::string_view table);
  FactsMemory(const FactsMemory&) = delete;
  FactsMemory& operator=(const FactsMemory&) = delete;
  ~FactsMemory();

  [[nodiscard]] int descriptor() const { return fd_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  FactsMemory(int fd, std::uint64_t bytes) : fd_(fd), bytes_(bytes) {}

  int fd_;
  std::uint64_t bytes_;
};

}  // namespace ravel
