// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dlopen and dlclose. The loader holds a lock of its own while it runs constructors and destructors: the thread is not
// left in the meantime, and when one of them has to wait after all, others wait outside for the loader, virtually.
// Whatever was loaded gets names: its code, its data, its thread-local storage.
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include <cstddef>

#include "base/large_table.h"
#include "runtime/fiber/tls.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/locations.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/mutex.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

MutexState loader;

// The lock is shown under the name of the function that takes it.
Pending at_loader(OpKind kind, LocationId location) {
  Pending pending = operation(kind, real().dlopen, location);
  pending.size = 1;  // no mutex of the program
  return pending;
}

void enter_loader(LocationId location) {
  Pending pending = at_loader(OpKind::kMutexLock, location);
  pending.enabled = [](const VirtualThread& thread) { return can_lock(loader, MutexType::kRecursive, thread.index); };
  point(pending);
  (void)lock(loader, MutexType::kRecursive, g.current->index);
  record_pending(0, 0);
  changed();
  ++g.in_handler;
}

void leave_loader(LocationId location) {
  list_loaded_modules();
  list_loaded_tls_images();
  if (g.in_handler != 0) --g.in_handler;
  point(at_loader(OpKind::kMutexUnlock, location));
  (void)unlock(loader, g.current->index);
  record_pending(0, 0);
  changed();
}

// The C library searches along the path of whoever calls dlopen, which is this library: the caller's own path is
// searched here first. Yields the name itself when there is nothing to search.
const char* search(const char* name, void* caller, char* buffer, std::size_t size) {
  if (name == nullptr || strchr(name, '/') != nullptr) return name;
  Dl_info info;
  link_map* module = nullptr;
  if (dladdr1(caller, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) == 0 || module == nullptr) return name;
  alignas(Dl_serinfo) static RAVEL_LARGE_TABLE char storage[32 << 10];
  auto* list = reinterpret_cast<Dl_serinfo*>(storage);
  Dl_serinfo needed;
  if (dlinfo(module, RTLD_DI_SERINFOSIZE, &needed) != 0 || needed.dls_size > sizeof storage) return name;
  list->dls_size = needed.dls_size;
  list->dls_cnt = needed.dls_cnt;
  if (dlinfo(module, RTLD_DI_SERINFO, list) != 0) return name;
  const auto* folders = reinterpret_cast<const Dl_serpath*>(storage + offsetof(Dl_serinfo, dls_serpath));
  for (unsigned i = 0; i < list->dls_cnt; ++i) {
    TextBuffer path(buffer, size);
    path.text(folders[i].dls_name).text("/").text(name);
    if (raw_syscall(SYS_access, reinterpret_cast<long>(buffer), R_OK) == 0) return buffer;
  }
  return name;
}

}  // namespace

RAVEL_EXPORT void* dlopen(const char* name, int mode) noexcept {
  void* const caller = __builtin_return_address(0);
  const LocationId location = g.in_control ? RAVEL_CALLER : LocationId();
  if (g.in_control) enter_loader(location);
  // Loaded already: found by its own name, wherever it came from.
  void* handle = name != nullptr ? real().dlopen(name, mode | RTLD_NOLOAD) : nullptr;
  if (handle == nullptr && (mode & RTLD_NOLOAD) == 0) {
    char path[4096];
    handle = real().dlopen(search(name, caller, path, sizeof path), mode);
  }
  if (g.in_control) leave_loader(location);
  return handle;
}

RAVEL_EXPORT void* dlmopen(Lmid_t space, const char* name, int mode) noexcept {
  RAVEL_PASS_THROUGH(dlmopen, space, name, mode);
  const LocationId location = RAVEL_CALLER;
  enter_loader(location);
  void* const handle = real().dlmopen(space, name, mode);
  leave_loader(location);
  return handle;
}

RAVEL_EXPORT int dlclose(void* handle) noexcept {
  RAVEL_PASS_THROUGH(dlclose, handle);
  const LocationId location = RAVEL_CALLER;
  enter_loader(location);
  const int result = real().dlclose(handle);
  leave_loader(location);
  return result;
}
