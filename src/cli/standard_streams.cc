// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "model/exit_code.h"

namespace ravel {
namespace {

constexpr rlim_t kLeastStack = rlim_t{512} << 10;

bool g_output_closed = false;
int g_output_error = 0;  // of the first write to stdout that failed

// Claims success: who prints has nobody to tell. stderr has no place to say that it is gone.
ssize_t write_stream(void* cookie, const char* text, std::size_t size) {
  const int descriptor = *static_cast<const int*>(cookie);
  if (descriptor == STDOUT_FILENO && g_output_closed && g_output_error == 0) g_output_error = EBADF;
  for (std::size_t done = 0; done < size;) {
    const ssize_t wrote = write(descriptor, text + done, size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      if (descriptor == STDOUT_FILENO && g_output_error == 0) g_output_error = errno;
      break;
    }
    done += static_cast<std::size_t>(wrote);
  }
  return static_cast<ssize_t>(size);
}

std::FILE* open_stream(int descriptor, int buffering) {
  static constexpr int kDescriptors[] = {0, 1, 2};
  cookie_io_functions_t functions{};
  functions.write = write_stream;
  std::FILE* stream = fopencookie(const_cast<int*>(&kDescriptors[descriptor]), "w", functions);
  if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

}  // namespace

Result<void> prepare_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (descriptor == STDOUT_FILENO) g_output_closed = true;
    const int opened = open("/dev/null", O_RDWR);
    if (opened >= 0 && opened != descriptor) dup2(opened, descriptor);
  }
  if (std::FILE* out = open_stream(STDOUT_FILENO, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF)) stdout = out;
  if (std::FILE* err = open_stream(STDERR_FILENO, _IONBF)) stderr = err;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kLeastStack) {
    return cannot_test("the stack limit is too small", fmt::format("{} KiB", stack.rlim_cur >> 10),
                       "raise it: ulimit -s 8192");
  }
  return {};
}

int finish_standard_streams(int code) {
  std::fflush(stdout);
  if (g_output_error == 0) return code;
  fmt::print(stderr, "ravel: cannot write to the standard output: {}\n", std::strerror(g_output_error));
  return code == kExitClean ? static_cast<int>(kExitUsage) : code;
}

}  // namespace ravel
