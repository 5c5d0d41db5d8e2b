// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/page_map.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "runtime/platform/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kSwapped = std::uint64_t{1} << 62;
constexpr std::uint64_t kOfFile = std::uint64_t{1} << 61;
constexpr std::uint64_t kMappedHereAlone = std::uint64_t{1} << 56;

}  // namespace

PageMap::PageMap()
    : fd_(static_cast<int>(
          raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC))) {}

PageMap::~PageMap() {
  if (fd_ >= 0) raw_syscall(SYS_close, fd_);
}

std::size_t PageMap::read(std::uintptr_t begin, std::uintptr_t end) {
  const std::size_t pages = (end - begin + kPage - 1) / kPage;
  const std::size_t wanted = pages < kEntries ? pages : kEntries;
  const long bytes =
      raw_syscall(SYS_pread64, fd_, reinterpret_cast<long>(entries_), static_cast<long>(wanted * sizeof(std::uint64_t)),
                  static_cast<long>(begin / kPage * sizeof(std::uint64_t)));
  return bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(std::uint64_t) : 0;
}

PageState PageMap::state_of(std::uint64_t entry) {
  if ((entry & kSwapped) != 0) return PageState::kWritten;  // not knowable, so the safe answer
  if ((entry & kPresent) == 0 || (entry & kOfFile) != 0) return PageState::kUntouched;
  return (entry & kMappedHereAlone) != 0 ? PageState::kWritten : PageState::kShared;
}

std::uint64_t page_faults() {
  rusage usage = {};
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, reinterpret_cast<long>(&usage));
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

}  // namespace ravel
