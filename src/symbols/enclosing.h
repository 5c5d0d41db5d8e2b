// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where functions begin that do not say so themselves: the call operator of a lambda has no line of its own in the
// debug information, but stands inside a function that has. Names relative to that survive edits above it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ravel {

struct Enclosing {
  std::string function;    // name of the enclosing function; empty if there is none
  std::uint32_t line = 0;  // where it (or the enclosing type) is declared; 0 if unknown
};

class EnclosingFunctions {
 public:
  explicit EnclosingFunctions(const std::string& path);
  EnclosingFunctions(const EnclosingFunctions&) = delete;
  EnclosingFunctions& operator=(const EnclosingFunctions&) = delete;
  ~EnclosingFunctions();

  // One entry per inlined function at this address, innermost first.
  std::vector<Enclosing> at(std::uint64_t address);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ravel
