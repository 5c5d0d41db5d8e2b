// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/machine.h"

#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/layout.h"
#include "driver/program_image.h"

namespace ravel {
namespace {

constexpr unsigned long kHwcap2Fsgsbase = 1ul << 1;  // asm/hwcap2.h
constexpr unsigned long kArchShstkStatus = 0x5005;   // asm/prctl.h, since Linux 6.6

Check check_fsgsbase() {
  if ((getauxval(AT_HWCAP2) & kHwcap2Fsgsbase) != 0)
    return {Health::kGood, "FSGSBASE", "available: fast switches between threads"};
  return {Health::kWarning, "FSGSBASE", "not available: each switch between threads costs a system call"};
}

Check check_personality() {
  // In a child, so that the tool itself stays as it is.
  const pid_t child = fork();
  if (child == 0) {
    const int now = personality(0xffffffff);
    const bool set = now >= 0 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0;
    _exit(set && (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0 ? 0 : 1);
  }
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  if (status == 0) return {Health::kGood, "address layout", "can be fixed (personality)"};
  return {Health::kWarning, "address layout",
          "cannot be fixed here: programs that use addresses as data may differ between runs"};
}

Check check_ptrace() {
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  const bool allowed = status == 0;
  const bool has_gdb = find_program("gdb").has_value();
  if (allowed && has_gdb) return {Health::kGood, "gdb", "found, ptrace allowed"};
  if (!has_gdb) return {Health::kWarning, "gdb", "not found: `replay --gdb' needs it"};
  return {Health::kWarning, "gdb", "ptrace is refused here: `replay --gdb' will not work"};
}

Check check_shadow_stack() {
  unsigned long status = 0;
  const long code = syscall(SYS_arch_prctl, kArchShstkStatus, &status);
  if (code == 0 && (status & 1) != 0) {
    return {Health::kBad, "CET shadow stacks",
            "on: switching stacks will fault; run with GLIBC_TUNABLES=glibc.cpu.x86_shstk=off"};
  }
  return {Health::kGood, "CET shadow stacks", "off"};
}

Check check_compiler(const std::string& name, bool is_default) {
  const auto path = find_program(name);
  if (path) return {Health::kGood, name, *path};
  return {is_default ? Health::kBad : Health::kWarning, name, "not found"};
}

Check check_cpus() {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return {Health::kGood, "processors", fmt::format("{}", count)};
}

Check check_runtime() {
  const auto folder = runtime_directory();
  if (folder) return {Health::kGood, "runtime", *folder + "/" + kRuntimeName};
  return {Health::kBad, "runtime", folder.error().line()};
}

}  // namespace

std::vector<Check> check_machine() {
  return {check_runtime(),
          check_cpus(),
          check_fsgsbase(),
          check_personality(),
          check_shadow_stack(),
          check_ptrace(),
          check_compiler("g++", true),
          check_compiler("gcc", false),
          check_compiler("clang++", false)};
}

}  // namespace ravel
