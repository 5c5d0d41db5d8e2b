// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/memory/pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

namespace ravel::rt {
namespace {

long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

bool is_error(long result) {
  return result < 0 && result > -4096;
}

}  // namespace

void* reserve_pages(std::uintptr_t address, std::size_t bytes) {
  constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const long size = static_cast<long>(bytes);
  const auto map_at = [size](long where, long flags) {
    return system_call(SYS_mmap, where, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  };
  long result = map_at(static_cast<long>(address), kFlags | MAP_FIXED_NOREPLACE);
  // Old kernels take the address as a hint only: then it may be anywhere, which is all right too.
  if (is_error(result)) result = map_at(0, kFlags);
  if (is_error(result)) return nullptr;
  // A huge page for each touched arena would make every fork copy megabytes.
  system_call(SYS_madvise, result, size, MADV_NOHUGEPAGE);
  return reinterpret_cast<void*>(result);
}

void unreserve_pages(void* start, std::size_t bytes) {
  system_call(SYS_munmap, reinterpret_cast<long>(start), static_cast<long>(bytes));
}

void drop_pages(std::uintptr_t begin, std::uintptr_t end) {
  begin = page_up(begin);
  end = page_down(end);
  if (begin < end) system_call(SYS_madvise, static_cast<long>(begin), static_cast<long>(end - begin), MADV_DONTNEED);
}

void copy_what_is_mapped(void* to, const void* from, std::size_t bytes) {
  iovec target{to, bytes};
  iovec source{const_cast<void*>(from), bytes};
  const long pid = system_call(SYS_getpid);
  const long copied =
      system_call(SYS_process_vm_readv, pid, reinterpret_cast<long>(&target), 1, reinterpret_cast<long>(&source), 1, 0);
  if (!is_error(copied)) return;
  // Not allowed here: the rest of the first page is mapped for sure.
  const std::size_t first = kPageBytes - (reinterpret_cast<std::uintptr_t>(from) & (kPageBytes - 1));
  copy_bytes(to, from, bytes < first ? bytes : first);
}

void yield_processor() {
  system_call(SYS_sched_yield);
}

}  // namespace ravel::rt
