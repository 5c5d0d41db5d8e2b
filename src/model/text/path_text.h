// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Paths of source files, which several sides know by different beginnings.
#pragma once

#include <string>

namespace ravel {

// The name without its folders.
inline std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Whether `end` is the path, or its last folders and its name.
inline bool is_end_of(const std::string& path, const std::string& end) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

}  // namespace ravel
