// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Calls after which memory is gone, is other memory or cannot be read. Before each of them the value of the last plain
// write is looked up, which happens late; afterwards what was known of the addresses is forgotten.
//
// Beside other threads such a call is an event and a scheduling point. Which accesses it conflicts with is not known
// (mapped memory has one object per megabyte), so a search that meets one is not complete.
#include <stdarg.h>
#include <sys/mman.h>

#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/record/mappings.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/locations.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

void before_change(std::size_t size, LocationId location) {
  if (!g.in_control) return;
  fill_in_plain_write();
  if (!recording() || !others_may_run()) return;
  Pending pending;
  pending.kind = OpKind::kUnmap;
  pending.location = location;
  pending.value = size;
  point(pending);
  record_pending(0, size);
}

void forget(void* address, std::size_t size) {
  if (g.in_control) forget_mapping(reinterpret_cast<std::uintptr_t>(address), size);
}

// Without MAP_FIXED it changes nothing that is there.
void* map(void* address, std::size_t size, int protection, int flags, int file, off_t offset, LocationId location) {
  if ((flags & MAP_FIXED) == 0) return real().mmap(address, size, protection, flags, file, offset);
  before_change(size, location);
  void* const result = real().mmap(address, size, protection, flags, file, offset);
  if (result != MAP_FAILED) forget(address, size);
  return result;
}

}  // namespace

RAVEL_EXPORT int munmap(void* address, std::size_t size) noexcept {
  before_change(size, g.in_control ? RAVEL_CALLER : LocationId());
  const int result = real().munmap(address, size);
  if (result == 0) forget(address, size);
  return result;
}

RAVEL_EXPORT void* mremap(void* address, std::size_t old_size, std::size_t size, int flags, ...) noexcept {
  va_list rest;
  va_start(rest, flags);
  void* const wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  if (size < old_size || (flags & MREMAP_MAYMOVE) != 0)
    before_change(old_size, g.in_control ? RAVEL_CALLER : LocationId());
  void* const result = real().mremap(address, old_size, size, flags, wanted);
  if (result == MAP_FAILED) return result;
  if (result != address) {
    forget(result, size);
    if ((flags & MREMAP_DONTUNMAP) == 0) forget(address, old_size);
  } else if (size < old_size) {
    forget(static_cast<char*>(address) + size, old_size - size);
  }
  return result;
}

RAVEL_EXPORT int mprotect(void* address, std::size_t size, int protection) noexcept {
  constexpr int kAll = PROT_READ | PROT_WRITE;
  if ((protection & kAll) != kAll) before_change(size, g.in_control ? RAVEL_CALLER : LocationId());
  return real().mprotect(address, size, protection);
}

RAVEL_EXPORT void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  return map(address, size, protection, flags, file, offset, g.in_control ? RAVEL_CALLER : LocationId());
}

RAVEL_EXPORT void* mmap64(void* address, std::size_t size, int protection, int flags, int file,
                          off64_t offset) noexcept {
  return map(address, size, protection, flags, file, offset, g.in_control ? RAVEL_CALLER : LocationId());
}
