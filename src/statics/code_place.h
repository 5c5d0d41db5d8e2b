// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A place of the sources. C++17.
#pragma once

#include <string>
#include <tuple>

namespace ravel {

struct CodePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  [[nodiscard]] auto key() const { return std::tie(file, line, column); }
  friend bool operator<(const CodePlace& a, const CodePlace& b) { return a.key() < b.key(); }
  friend bool operator==(const CodePlace& a, const CodePlace& b) { return a.key() == b.key(); }
};

}  // namespace ravel
