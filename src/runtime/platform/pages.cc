// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/platform/pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "runtime/platform/raw.h"

namespace ravel::rt {
namespace {

bool is_error(long result) {
  return result < 0 && result > -4096;
}

}  // namespace

void* reserve_pages(std::uintptr_t address, std::size_t bytes) {
  constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const long size = static_cast<long>(bytes);
  const auto map_at = [size](long where, long flags) {
    return raw_syscall(SYS_mmap, where, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  };
  long result = map_at(static_cast<long>(address), kFlags | MAP_FIXED_NOREPLACE);
  // Old kernels take the address as a hint only: then it may be anywhere, which is all right too.
  if (is_error(result)) result = map_at(0, kFlags);
  if (is_error(result)) return nullptr;
  // A huge page for each touched arena would make every fork copy megabytes.
  raw_syscall(SYS_madvise, result, size, MADV_NOHUGEPAGE);
  return reinterpret_cast<void*>(result);
}

void unreserve_pages(void* start, std::size_t bytes) {
  raw_syscall(SYS_munmap, reinterpret_cast<long>(start), static_cast<long>(bytes));
}

void drop_pages(std::uintptr_t begin, std::uintptr_t end) {
  begin = page_up(begin);
  end = page_down(end);
  if (begin < end) raw_syscall(SYS_madvise, static_cast<long>(begin), static_cast<long>(end - begin), MADV_DONTNEED);
}

void copy_what_is_mapped(void* to, const void* from, std::size_t bytes) {
  iovec target{to, bytes};
  iovec source{const_cast<void*>(from), bytes};
  const long pid = raw_syscall(SYS_getpid);
  const long copied =
      raw_syscall(SYS_process_vm_readv, pid, reinterpret_cast<long>(&target), 1, reinterpret_cast<long>(&source), 1, 0);
  if (!is_error(copied)) return;
  // Not allowed here: the rest of the first page is mapped for sure.
  const std::size_t first = kPageBytes - (reinterpret_cast<std::uintptr_t>(from) & (kPageBytes - 1));
  copy_bytes(to, from, bytes < first ? bytes : first);
}

void yield_processor() {
  raw_syscall(SYS_sched_yield);
}

}  // namespace ravel::rt
