// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the file of a program or library says about synchronisation that Ravel does not see.
#pragma once

#include <string>
#include <vector>

namespace ravel {

struct ObjectFacts {
  bool instrumented = false;  // some of it was compiled by `ravel c++`
  bool has_atomics = false;   // locked compare-exchange or exchange-add instructions
  // What it offers to others, by linked name and in order: only of a file with atomics that is not instrumented.
  std::vector<std::string> exports;
  // Atomic instructions in inline assembly that were left alone: "lock.c:12: lock incl %fs:16".
  std::vector<std::string> uncontrolled;
};

// Of a file that cannot be read or is no ELF file for x86-64: nothing.
ObjectFacts object_facts(const std::string& path);

}  // namespace ravel
