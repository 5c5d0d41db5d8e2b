// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/address_ranges.h"

#include <fcntl.h>
#include <string.h>

#include "runtime/platform/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

const char* parse_hex(const char* text, std::uintptr_t& value) {
  value = 0;
  for (;; ++text) {
    const char c = *text;
    if (c >= '0' && c <= '9') {
      value = value * 16 + static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      value = value * 16 + static_cast<unsigned>(c - 'a' + 10);
    } else {
      return text;
    }
  }
}

// "begin-end rw-p offset device inode   path"
bool parse_line(const char* line, AddressRange& range) {
  const char* at = parse_hex(line, range.begin);
  if (*at != '-') return false;
  at = parse_hex(at + 1, range.end);
  if (at[0] != ' ' || at[1] != 'r' || at[2] != 'w' || at[4] != 'p') return false;
  at += 6;
  for (int skipped = 0; skipped < 2; ++skipped) {  // offset, device
    while (*at != 0 && *at != ' ') ++at;
    while (*at == ' ') ++at;
  }
  range.of_file = *at != '0';
  return strstr(at, "[vvar") == nullptr;
}

// One line at a time out of a small buffer.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}
  bool next(char* line, std::size_t size) {
    std::size_t n = 0;
    for (;;) {
      if (at_ == end_ && !refill()) return false;
      const char c = buffer_[at_++];
      if (c == '\n') break;
      if (n + 1 < size) line[n++] = c;
    }
    line[n] = 0;
    return true;
  }

 private:
  bool refill() {
    const long got = raw_syscall(SYS_read, fd_, reinterpret_cast<long>(buffer_), sizeof buffer_);
    at_ = 0;
    end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return end_ != 0;
  }
  int fd_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  char buffer_[4096];
};

}  // namespace

std::size_t private_writable_ranges(AddressRange* out, std::size_t capacity) {
  const int fd = static_cast<int>(
      raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC));
  if (fd < 0) return 0;
  LineReader reader(fd);
  char line[512];
  std::size_t count = 0;
  while (reader.next(line, sizeof line)) {
    AddressRange range;
    if (!parse_line(line, range)) continue;
    if (count < capacity) out[count] = range;
    ++count;
  }
  raw_syscall(SYS_close, fd);
  return count;
}

}  // namespace ravel
