// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/signals/alternate_stack.h"

#include <errno.h>

#include <cstddef>
#include <cstdint>

#include "base/large_table.h"
#include "runtime/fiber/carrier.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

namespace {

constexpr std::size_t kSmallest = 2048;  // MINSIGSTKSZ of the kernel
constexpr int kAutoDisarm = static_cast<int>(1u << 31);

struct Alternate {
  ThreadIndex thread_plus_one;  // whose it is: slots are used again
  char* begin;
  std::size_t size;  // 0: none
};
RAVEL_LARGE_TABLE Alternate alternates[kMaxLive];

Alternate& own_alternate() {
  const VirtualThread& self = *g.current;
  Alternate& own = alternates[self.slot];
  if (own.thread_plus_one != self.index + 1) own = {self.index + 1, nullptr, 0};
  return own;
}

bool is_on(const Alternate& stack, const void* pointer) {
  return static_cast<std::size_t>(static_cast<const char*>(pointer) - stack.begin) < stack.size;
}

using Handler = void (*)(int, siginfo_t*, void*);

// The frame pointer, which is asked for, lets debuggers and the unwinder find the way back.
[[gnu::noinline]] void call_on(char* top, Handler handler, int number, siginfo_t* info, void* context) {
  if (__builtin_frame_address(0) == nullptr) return;
  auto first = static_cast<long>(number);
  asm volatile(
      "movq %%rsp, %%rbx\n\t"
      "movq %[top], %%rsp\n\t"
      "call *%[handler]\n\t"
      "movq %%rbx, %%rsp"
      : "+D"(first), "+S"(info), "+d"(context)
      : [top] "r"(top), [handler] "r"(handler)
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
        "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

}  // namespace

int change_alternate_stack(const stack_t* next, stack_t* old, const void* stack_pointer) {
  Alternate& own = own_alternate();
  const bool in_use = is_on(own, stack_pointer);
  const Alternate before = own;
  if (next != nullptr) {
    if (in_use) return -EPERM;
    const int flags = next->ss_flags & ~kAutoDisarm;
    if (flags != 0 && flags != SS_DISABLE && flags != SS_ONSTACK) return -EINVAL;
    if (flags != SS_DISABLE && next->ss_size < kSmallest) return -ENOMEM;
    own.begin = flags == SS_DISABLE ? nullptr : static_cast<char*>(next->ss_sp);
    own.size = flags == SS_DISABLE ? 0 : next->ss_size;
  }
  if (old != nullptr) {
    *old = {};
    old->ss_sp = before.begin;
    old->ss_size = before.size;
    old->ss_flags = in_use ? SS_ONSTACK : before.size == 0 ? SS_DISABLE : 0;
  }
  return 0;
}

void call_handler(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  const Handler handler = action.sa_sigaction;  // sa_handler is the same member, and takes the first argument only
  VirtualThread* const self = g.in_control ? g.current : nullptr;
  if (self == nullptr) {
    handler(number, info, context);
    return;
  }
  const ShadowStack::Interrupted before = self->calls.enter_handler();
  const Alternate own = own_alternate();
  if ((action.sa_flags & SA_ONSTACK) != 0 && own.size != 0 && !is_on(own, __builtin_frame_address(0))) {
    const auto top = reinterpret_cast<std::uintptr_t>(own.begin + own.size) & ~std::uintptr_t{15};
    call_on(reinterpret_cast<char*>(top), handler, number, info, context);
  } else {
    handler(number, info, context);
  }
  if (g.in_control) self->calls.leave_handler(before);
}

}  // namespace ravel::rt
