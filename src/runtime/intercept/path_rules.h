// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which paths the system answers in a way that may differ from one execution to the next. Pure.
#pragma once

#include <string.h>

namespace ravel::rt {

inline bool is_random_device(const char* path) {
  return path != nullptr && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

// Files that show the machine's or the process's state, and files that are written, which the next execution finds
// unless they lie in a scratch folder or in a /tmp of the execution's own.
inline bool is_uncontrolled_path(const char* path, bool writes, bool scratch, bool private_tmp = false) {
  if (path == nullptr) return false;
  if (strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0) return true;
  if (!writes || strncmp(path, "/dev/", 5) == 0) return false;
  if (private_tmp && strncmp(path, "/tmp/", 5) == 0 && strstr(path, "..") == nullptr) return false;
  const bool stays_inside = path[0] != '/' && strstr(path, "..") == nullptr;
  return !(scratch && stays_inside);
}

}  // namespace ravel::rt
