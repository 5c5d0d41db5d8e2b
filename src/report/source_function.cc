// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/source_function.h"

#include <fstream>

#include "base/hash.h"

namespace ravel {
namespace {

// Braces outside of comments and literals; `comment` carries a block comment over lines.
int depth_change(const std::string& line, bool& comment, bool& opened) {
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const char next = i + 1 < line.size() ? line[i + 1] : '\0';
    if (comment) {
      comment = !(c == '*' && next == '/');
      i += comment ? 0 : 1;
      continue;
    }
    if (c == '/' && next == '/') break;
    if (c == '/' && next == '*') {
      comment = true;
      ++i;
    } else if (c == '"' || (c == '\'' && (i == 0 || isalnum(static_cast<unsigned char>(line[i - 1])) == 0))) {
      for (++i; i < line.size() && line[i] != c; ++i) i += line[i] == '\\';
    } else if (c == '{') {
      opened = true;
      ++depth;
    } else if (c == '}') {
      --depth;
    }
  }
  return depth;
}

}  // namespace

const std::vector<std::string>& SourceFunctions::lines_of(const std::string& file) {
  const auto [at, fresh] = files_.try_emplace(file);
  if (fresh) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      line.erase(line.find_last_not_of(" \t\r") + 1);
      at->second.push_back(line);
    }
  }
  return at->second;
}

std::uint64_t SourceFunctions::hash(const std::string& file, std::uint32_t line) {
  constexpr std::size_t kMostLines = 100'000;
  const std::vector<std::string>& lines = lines_of(file);
  if (line == 0) return 0;
  std::uint64_t hash = 1;
  int depth = 0;
  bool comment = false;
  bool opened = false;
  for (std::size_t i = line - 1; i < lines.size() && i < line + kMostLines; ++i) {
    hash = hash_bytes(hash, lines[i]);
    depth += depth_change(lines[i], comment, opened);
    if (opened && depth <= 0) return hash == 0 ? 1 : hash;
  }
  return 0;
}

}  // namespace ravel
