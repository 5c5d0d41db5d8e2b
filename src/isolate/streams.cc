// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/streams.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "runtime/platform/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

bool is_regular_file(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

void empty_file(int fd) {
  raw_syscall(SYS_ftruncate, fd, 0);
  raw_syscall(SYS_lseek, fd, 0, SEEK_SET);
}

std::uint64_t file_hash(int fd) {
  unsigned char buffer[4096];
  std::uint64_t hash = 0;
  for (long at = 0;;) {
    const long got = raw_syscall(SYS_pread64, fd, reinterpret_cast<long>(buffer), sizeof buffer, at);
    if (got <= 0) return hash;
    for (long i = 0; i < got; ++i) hash = (hash ^ buffer[i]) * 0x100000001b3ull;
    at += got;
  }
}

}  // namespace

Streams::Streams(const SharedBlock& block)
    : captured_(block.campaign.show_output == 0 && is_regular_file(1) && is_regular_file(2)),
      seekable_input_(is_regular_file(0)) {}

void Streams::rewind() const {
  if (captured_) {
    empty_file(1);
    empty_file(2);
  }
  if (seekable_input_) raw_syscall(SYS_lseek, 0, 0, SEEK_SET);
}

std::uint64_t Streams::output_hash() const {
  return captured_ ? hash_combine(file_hash(1), file_hash(2)) : 0;
}

}  // namespace ravel
