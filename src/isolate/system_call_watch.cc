// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/system_call_watch.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "isolate/system_call_rules.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

// Returns from the signal handler below without a system call outside of the runtime.
extern "C" void ravel_return_from_signal();
asm(R"(
    .text
    .globl ravel_return_from_signal
    .hidden ravel_return_from_signal
    .type ravel_return_from_signal, @function
ravel_return_from_signal:
    movl $15, %eax
    syscall
    ud2
    .size ravel_return_from_signal, . - ravel_return_from_signal
)");

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr char kAllow = 0;
constexpr char kBlock = 1;
constexpr long kInstructionBytes = 2;  // `syscall`
constexpr unsigned long kHasRestorer = 0x04000000;

volatile char selector = kAllow;
KernelUndo kernel_undo;
char spoilt_by[160];

struct TextRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

int find_own_text(dl_phdr_info* info, std::size_t, void* argument) {
  const auto here = reinterpret_cast<std::uintptr_t>(&ravel_return_from_signal);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || here - begin >= segment.p_memsz) continue;
    *static_cast<TextRange*>(argument) = {begin, begin + segment.p_memsz};
    return 1;
  }
  return 0;
}

void set_result(ucontext_t& context, long result) {
  context.uc_mcontext.gregs[REG_RAX] = result;
}

// The mask comes back with the return from the handler, so it is changed there. SIGSYS itself is never blocked.
long change_signal_mask(ucontext_t& context, const SystemCall& call) {
  auto& mask = *reinterpret_cast<std::uint64_t*>(&context.uc_sigmask);
  if (call.arguments[3] != 8) return -EINVAL;
  const std::uint64_t before = mask;
  if (call.arguments[1] != 0) {
    const std::uint64_t set = *reinterpret_cast<const std::uint64_t*>(call.arguments[1]);
    switch (call.arguments[0]) {
      case SIG_BLOCK:
        mask |= set;
        break;
      case SIG_UNBLOCK:
        mask &= ~set;
        break;
      case SIG_SETMASK:
        mask = set;
        break;
      default:
        return -EINVAL;
    }
    mask &= ~(std::uint64_t{1} << (SIGSYS - 1));
    kernel_undo.changed_signal_mask();
  }
  if (call.arguments[2] != 0) *reinterpret_cast<std::uint64_t*>(call.arguments[2]) = before;
  return 0;
}

// A signal handler of the program returns: its frame is at the stack pointer of the interrupted code.
[[noreturn]] void return_from_handler(const ucontext_t& context) {
  asm volatile("movq %0, %%rsp\n\tjmp ravel_return_from_signal" : : "r"(context.uc_mcontext.gregs[REG_RSP]) : "memory");
  __builtin_unreachable();
}

void on_system_call(int, siginfo_t* info, void* raw_context) {
  auto& context = *static_cast<ucontext_t*>(raw_context);
  const auto& registers = context.uc_mcontext.gregs;
  SystemCall call = {info->si_syscall,
                     {static_cast<long>(registers[REG_RDI]), static_cast<long>(registers[REG_RSI]),
                      static_cast<long>(registers[REG_RDX]), static_cast<long>(registers[REG_R10]),
                      static_cast<long>(registers[REG_R8]), static_cast<long>(registers[REG_R9])}};
  switch (call.number) {
    case SYS_rt_sigreturn:
      return_from_handler(context);
    case SYS_rt_sigprocmask:
      return set_result(context, change_signal_mask(context, call));
    case SYS_exit_group:
    case SYS_exit:
      if (rt::has_home()) rt::go_home({static_cast<int>(call.arguments[0]) & 255, 0});
      break;
    default: {
      const char* why = obey_rules(call, kernel_undo);
      if (why != nullptr) SystemCallWatch::spoil(why);
      if (call.executed) return set_result(context, call.result);
    }
  }
  // Unwatched from here on; the instruction is executed again, now by the kernel.
  SystemCallWatch::stop();
  context.uc_mcontext.gregs[REG_RIP] -= kInstructionBytes;
}

}  // namespace

bool SystemCallWatch::prepare() {
  struct KernelAction {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } action = {on_system_call, SA_SIGINFO | SA_NODEFER | SA_ONSTACK | kHasRestorer, ravel_return_from_signal, 0};
  TextRange text;
  if (dl_iterate_phdr(find_own_text, &text) == 0) return false;
  if (raw_syscall(SYS_rt_sigaction, SIGSYS, reinterpret_cast<long>(&action), 0, 8) != 0) return false;
  kernel_undo.remember();
  selector = kAllow;
  return raw_syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, static_cast<long>(text.begin),
                     static_cast<long>(text.end - text.begin), reinterpret_cast<long>(&selector)) == 0;
}

void SystemCallWatch::start() {
  selector = kBlock;
}

void SystemCallWatch::stop() {
  selector = kAllow;
}

long SystemCallWatch::call(long number, const long* a) {
  SystemCall call = {number, {a[0], a[1], a[2], a[3], a[4], a[5]}};
  std::uint64_t mask = 0;
  if (number == SYS_rt_sigprocmask) {
    if (a[1] != 0) kernel_undo.changed_signal_mask();
    // SIGSYS is never blocked: the kernel would end the process in place of handing us the next call.
    if (a[1] != 0) mask = *reinterpret_cast<const std::uint64_t*>(a[1]) & ~(std::uint64_t{1} << (SIGSYS - 1));
    if (a[1] != 0) call.arguments[1] = reinterpret_cast<long>(&mask);
  } else if (selector == kBlock) {
    const char* why = obey_rules(call, kernel_undo);
    if (why != nullptr) spoil(why);
    if (call.executed) return call.result;
  }
  const long* b = call.arguments;
  return raw_syscall(number, b[0], b[1], b[2], b[3], b[4], b[5]);
}

const char* SystemCallWatch::spoilt() {
  return spoilt_by;
}

void SystemCallWatch::spoil(const char* why) {
  if (spoilt_by[0] == 0) rt::TextBuffer(spoilt_by, sizeof spoilt_by).text(why);
  stop();
}

KernelUndo& SystemCallWatch::undo() {
  return kernel_undo;
}

}  // namespace ravel
