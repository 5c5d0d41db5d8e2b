// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/standard_input.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace ravel {
namespace {

constexpr std::size_t kMaxInput = std::size_t{64} << 20;
constexpr int kFirstPatienceMs = 1'000;  // build machines often leave a pipe open that nobody writes to

}  // namespace

std::string redirected_stdin() {
  struct stat about {};
  if (fstat(STDIN_FILENO, &about) != 0 || !S_ISREG(about.st_mode)) return {};
  std::error_code error;
  const std::string path = std::filesystem::read_symlink("/proc/self/fd/0", error).string();
  struct stat named {};
  const bool same =
      !error && stat(path.c_str(), &named) == 0 && named.st_ino == about.st_ino && named.st_dev == about.st_dev;
  return same ? path : std::string{};
}

StandardInput::StandardInput(StandardInput&& other) noexcept
    : path_(std::move(other.path_)),
      text_(std::move(other.text_)),
      note_(std::move(other.note_)),
      fd_(std::exchange(other.fd_, -1)) {}

StandardInput::~StandardInput() {
  if (fd_ >= 0) close(fd_);
}

Result<void> StandardInput::read_pipe(bool patiently) {
  char buffer[1 << 16];
  for (;;) {
    pollfd waiting = {STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&waiting, 1, patiently || !text_.empty() ? -1 : kFirstPatienceMs);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      note_ =
          "standard input is a pipe that delivered nothing for 1 s: the program gets no input; `--stdin -' waits for "
          "it";
      return {};
    }
    const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return usage_error("cannot read the standard input", std::strerror(errno));
    if (got == 0) break;
    text_.append(buffer, static_cast<std::size_t>(got));
    if (text_.size() > kMaxInput) {
      return usage_error("the standard input is longer than 64 MiB", "", "put it into a file: --stdin FILE");
    }
  }
  if (text_.empty()) return {};
  fd_ = memfd_create("ravel-stdin", MFD_CLOEXEC);
  for (std::size_t done = 0; fd_ >= 0 && done < text_.size();) {
    const ssize_t wrote = write(fd_, text_.data() + done, text_.size() - done);
    if (wrote <= 0) return internal_error("cannot keep the standard input", std::strerror(errno));
    done += static_cast<std::size_t>(wrote);
  }
  if (fd_ < 0) return internal_error("cannot keep the standard input", std::strerror(errno));
  path_ = fmt::format("/proc/self/fd/{}", fd_);  // opened between fork and exec: each opening has its own position
  return {};
}

Result<StandardInput> StandardInput::open(const std::string& option) {
  StandardInput input;
  if (!option.empty() && option != "-") {
    std::error_code error;
    if (!std::filesystem::is_regular_file(option, error)) return usage_error("no such input file", option, "--stdin");
    input.path_ = std::filesystem::absolute(option, error).string();
    return input;
  }
  input.path_ = redirected_stdin();
  struct stat about {};
  const bool pipe = fstat(STDIN_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
  if (input.path_.empty() && (pipe || option == "-")) {
    if (auto read = input.read_pipe(option == "-"); !read) return tl::make_unexpected(read.error());
  }
  return input;
}

}  // namespace ravel
