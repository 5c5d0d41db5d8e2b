// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which paths the system answers in a way that may differ from one execution to the next, and which have numbers in
// them that only the program knows. Pure.
#pragma once

#include <string.h>
#include <cstddef>

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

// The length of a number, one of those that the program's process and threads have, with a slash or the end behind it;
// 0: something else.
inline std::size_t virtual_number_length(const char* text, long first) {
  std::size_t length = 0;
  long number = 0;
  for (; text[length] >= '0' && text[length] <= '9' && length < 18; ++length)
    number = number * 10 + (text[length] - '0');
  const bool whole = text[length] == '/' || text[length] == 0;
  return whole && number >= first ? length : 0;
}

// /proc by the numbers that the program sees, /proc/5000000/maps or /proc/self/task/5000001/comm, as the kernel has it:
// all threads of the program run on one of the kernel's. Any other path is given back as it is.
inline const char* kernel_proc_path(const char* path, long first_number, char* room, std::size_t size) {
  if (path == nullptr || strncmp(path, "/proc/", 6) != 0) return path;
  const char* rest = path + 6;
  const char* process = "/proc/self";
  if (const std::size_t length = virtual_number_length(rest, first_number); length != 0) {
    rest += length;
  } else if (strncmp(rest, "self/", 5) == 0) {
    rest += 4;
  } else {
    return path;
  }
  if (strncmp(rest, "/task/", 6) == 0) {
    if (const std::size_t length = virtual_number_length(rest + 6, first_number); length != 0) {
      rest += 6 + length;
      process = "/proc/thread-self";
    }
  }
  const std::size_t head = strlen(process);
  const std::size_t tail = strlen(rest);
  if (head + tail >= size) return path;
  memcpy(room, process, head);
  memcpy(room + head, rest, tail + 1);
  return room;
}

}  // namespace ravel::rt
