// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/state.h"

#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "free/call_stack.h"
#include "free/fatal_signals.h"
#include "free/observer.h"
#include "free/threads.h"
#include "runtime/platform/raw.h"

namespace ravel::fr {

FreeBlock* g_block = nullptr;
std::uint32_t g_hooks = 0;
FreeLog* g_logs = nullptr;
constinit thread_local FreeThread* t_self __attribute__((tls_model("initial-exec"))) = nullptr;
constinit thread_local ThreadLocalState t_state __attribute__((tls_model("initial-exec")));

namespace {

using rt::raw_syscall;

// Programs that this one starts are none of our business, and it should not see what it was started with.
void restore_environment() {
  const char* before = getenv(kFreePreload);
  if (before != nullptr) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  unsetenv(kFreePreload);
  unsetenv(kFreeVariable);
}

FreeBlock* map_block() {
  const char* number = getenv(kFreeVariable);
  if (number == nullptr) return nullptr;
  const int descriptor = atoi(number);
  const long at = raw_syscall(SYS_mmap, 0, sizeof(FreeBlock), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  auto* block = reinterpret_cast<FreeBlock*>(at);
  const bool ours = at > 0 && block->magic == kFreeMagic && block->version == kFreeVersion &&
                    block->owner_pid == static_cast<std::uint32_t>(raw_syscall(SYS_getpid));
  if (ours && block->request.trace) {
    const long logs = raw_syscall(SYS_mmap, 0, sizeof(FreeLog) * kFreeThreads, PROT_READ | PROT_WRITE, MAP_SHARED,
                                  descriptor, sizeof(FreeBlock));
    if (logs > 0) g_logs = reinterpret_cast<FreeLog*>(logs);
  }
  raw_syscall(SYS_close, descriptor);
  if (ours) return block;
  if (at > 0) raw_syscall(SYS_munmap, at, sizeof(FreeBlock));
  return nullptr;
}

bool is_skipped(const char* path) {
  return path[0] == 0 || strstr(path, "ld-linux") != nullptr || strstr(path, "linux-vdso") != nullptr ||
         strstr(path, "libravel_") != nullptr;
}

int add_module(dl_phdr_info* info, std::size_t, void* first) {
  bool& executable = *static_cast<bool*>(first);
  const bool main_program = executable;
  executable = false;
  if (!main_program && is_skipped(info->dlpi_name)) return 0;
  std::uint32_t slot = 0;
  const std::uint32_t known = g_block->module_count.load(std::memory_order_relaxed);
  while (slot < known && g_block->modules[slot].base != info->dlpi_addr) ++slot;
  if (slot < known || slot == kMaxModules) return 0;
  ModuleRecord& module = g_block->modules[slot];
  module.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uint64_t end = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (segment.p_type == PT_LOAD && end > module.end) module.end = end;
  }
  if (main_program) {
    raw_syscall(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"), reinterpret_cast<long>(module.path),
                sizeof module.path - 1);
  } else {
    strncpy(module.path, info->dlpi_name, sizeof module.path - 1);
  }
  g_block->module_count.store(slot + 1, std::memory_order_release);
  return 0;
}

__attribute__((constructor(101))) void begin() {
  g_block = map_block();
  if (g_block == nullptr) return;
  restore_environment();
  list_modules();
  pthread_atfork(nullptr, nullptr, leave_in_child);
  const FreeRequest& request = g_block->request;
  if (request.noise.on && ((request.noise.classes & kNoisePlain) != 0 || request.noise.listed != 0)) {
    g_hooks |= kHookNoise;
  }
  if (request.observe && begin_observing()) g_hooks |= kHookObserve;
  if (request.windows) g_hooks |= kHookWindows;
  if (request.sections != 0) g_hooks |= kHookHeal;
  if (know_system_code() && g_logs != nullptr && begin_tracing()) g_hooks |= kHookTrace;
  begin_main_thread();
  watch_fatal_signals();
  g_block->ready.store(1, std::memory_order_release);
}

}  // namespace

void leave_in_child() {
  g_block = nullptr;
  g_logs = nullptr;
  g_hooks = 0;
  t_self = nullptr;
}

void list_modules() {
  bool first = true;
  dl_iterate_phdr(add_module, &first);
}

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace ravel::fr

// For runtime/platform: our own bug, said where the tool finds it.
void ravel::rt::note_internal_error(const char*) {}
