// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/instructions.h"

#include <link.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "runtime/platform/raw.h"
#include "runtime/schedule/clock.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"
#include "runtime/world/uncontrolled_calls.h"

namespace ravel::rt {

namespace {

constexpr std::uint64_t kTick = 100;          // ns that a look at the counter takes
constexpr std::uint64_t kMostDoublings = 14;  // a program that waits on the counter gets there soon

bool reads_counter = false;
bool trapped = false;
std::uint64_t looks = 0;  // since the last scheduling point
std::uint64_t looked_at_step = 0;

bool is_time_stamp(const unsigned char* code, std::size_t left, std::size_t& length) {
  if (left >= 2 && code[0] == 0x0f && code[1] == 0x31) {
    length = 2;
    return true;
  }
  length = 3;
  return left >= 3 && code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
}

// 0f c7 /6 and /7 with a register: rdrand, rdseed. With memory they are other instructions.
bool is_random(const unsigned char* code, std::size_t left) {
  return left >= 3 && code[0] == 0x0f && code[1] == 0xc7 && code[2] >= 0xf0;
}

void search(const unsigned char* start, std::size_t size) {
  const unsigned char* const end = start + size;
  for (const unsigned char* at = start; at < end; ++at) {
    at = static_cast<const unsigned char*>(memchr(at, 0x0f, static_cast<std::size_t>(end - at)));
    if (at == nullptr) return;
    const auto left = static_cast<std::size_t>(end - at);
    std::size_t length = 0;
    if (is_time_stamp(at, left, length)) reads_counter = true;
    if (is_random(at, left)) {
      note_uncontrolled(at[2] >= 0xf8 ? "rdseed" : "rdrand", "the processor's random numbers",
                        location_of(reinterpret_cast<std::uintptr_t>(at) + 1));
    }
  }
}

int search_module(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    if (!is_user_code(start)) continue;
    search(reinterpret_cast<const unsigned char*>(start), segment.p_filesz);
  }
  return 0;
}

}  // namespace

void find_instructions() {
  dl_iterate_phdr(search_module, nullptr);
}

void trap_time_stamp_counter() {
  if (!reads_counter) return;
  trapped = raw_syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
  if (!trapped) note_uncontrolled("rdtsc", "the kernel does not let it be trapped", 0);
}

void release_time_stamp_counter() {
  if (trapped) raw_syscall(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
}

bool answer_time_stamp(void* raw_context) {
  if (!trapped || !g.in_control) return false;
  auto& registers = static_cast<ucontext_t*>(raw_context)->uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  std::size_t length = 0;
  // The processor has fetched the instruction, so it is readable; its bytes do not cross into what is not.
  if (code == nullptr || registers[REG_TRAPNO] != 13 || !is_time_stamp(code, 3, length)) return false;
  const std::uint64_t step = g.block->result.steps.load(std::memory_order_relaxed);
  looks = step == looked_at_step ? looks + 1 : 0;
  looked_at_step = step;
  advance_clock_by(kTick << (looks < kMostDoublings ? looks : kMostDoublings));
  const std::uint64_t now = virtual_now();
  registers[REG_RAX] = static_cast<greg_t>(now & 0xffffffffu);
  registers[REG_RDX] = static_cast<greg_t>(now >> 32);
  if (length == 3) registers[REG_RCX] = 0;  // processor 0
  registers[REG_RIP] += static_cast<greg_t>(length);
  return true;
}

}  // namespace ravel::rt
