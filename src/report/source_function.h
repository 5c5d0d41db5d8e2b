// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A hash of the source text of a function, to see whether two builds have the same one: from the line where it
// begins to the brace that closes it, without blanks at the ends of lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ravel {

class SourceFunctions {
 public:
  // 0: the text cannot be read, or has no end.
  std::uint64_t hash(const std::string& file, std::uint32_t line);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace ravel
