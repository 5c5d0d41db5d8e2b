// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/output_capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ravel {
namespace {

constexpr off_t kMaxCapture = off_t{64} << 20;

int open_capture(const char* name) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd >= 0) fcntl(fd, F_SETFL, O_APPEND);  // it is truncated between executions
  return fd;
}

}  // namespace

OutputCapture::~OutputCapture() {
  for (int fd : fds_) {
    if (fd >= 0) close(fd);
  }
}

Result<void> OutputCapture::open() {
  fds_[0] = open_capture("ravel-stdout");
  fds_[1] = open_capture("ravel-stderr");
  if (fds_[0] < 0 || fds_[1] < 0) return internal_error("cannot capture the output", std::strerror(errno));
  return {};
}

std::string OutputCapture::text(int stream, std::size_t limit) const {
  const int from = fd(stream);
  struct stat about {};
  if (from < 0 || fstat(from, &about) != 0) return {};
  const off_t size = about.st_size;
  const off_t start = size > static_cast<off_t>(limit) ? size - static_cast<off_t>(limit) : 0;
  std::string text(static_cast<std::size_t>(size - start), '\0');
  const ssize_t got = pread(from, text.data(), text.size(), start);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

void OutputCapture::bound() const {
  for (int fd : fds_) {
    struct stat about {};
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > kMaxCapture) {
      [[maybe_unused]] const int ignored = ftruncate(fd, 0);
    }
  }
}

void OutputCapture::clear() const {
  for (int fd : fds_) {
    [[maybe_unused]] const int ignored = fd >= 0 ? ftruncate(fd, 0) : 0;
  }
}

}  // namespace ravel
