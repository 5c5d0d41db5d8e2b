// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/call_stack.h"

#include <sys/mman.h>

#include "runtime/platform/raw.h"

namespace ravel::fr {

TraceScratch* g_scratch = nullptr;

namespace {

// A bit for each byte of the program's code.
std::uint64_t* system_bits = nullptr;
std::uint64_t system_bytes = 0;

void* fresh_memory(std::uint64_t bytes) {
  const long at = rt::raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at > 0 ? reinterpret_cast<void*>(at) : nullptr;
}

void mark(std::uint64_t at, std::uint64_t end) {
  while (at < end) {
    const std::uint64_t low = at % 64;
    const std::uint64_t count = end - at < 64 - low ? end - at : 64 - low;
    system_bits[at / 64] |= (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << low;
    at += count;
  }
}

}  // namespace

bool begin_tracing() {
  g_scratch = static_cast<TraceScratch*>(fresh_memory(sizeof(TraceScratch) * kFreeThreads));
  return g_scratch != nullptr;
}

bool know_system_code() {
  const FreeRequest& request = g_block->request;
  const std::uint32_t count = request.system_ranges < kFreeSystemCode ? request.system_ranges : kFreeSystemCode;
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; i < count; ++i) end = request.system_code[i].end > end ? request.system_code[i].end : end;
  if (end == 0) return true;
  system_bits = static_cast<std::uint64_t*>(fresh_memory(end / 8 + sizeof(std::uint64_t)));
  if (system_bits == nullptr) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    mark(request.system_code[i].start, request.system_code[i].end);
  }
  system_bytes = end;
  return true;
}

bool is_system_code(std::uintptr_t pc) {
  const std::uint64_t offset = pc - g_block->modules[0].base;
  return offset < system_bytes && (system_bits[offset / 64] >> offset % 64 & 1) != 0;
}

std::uintptr_t nearest_user_call(std::uintptr_t pc) {
  std::uint32_t depth = t_state.depth < kDeepestCalls ? t_state.depth : kDeepestCalls;
  while (depth > 0) {
    const std::uintptr_t call = g_scratch[t_state.index].calls[--depth];
    if (call - g_block->modules[0].base < g_block->modules[0].end - g_block->modules[0].base && !is_system_code(call)) {
      return call;
    }
  }
  return pc;
}

}  // namespace ravel::fr
