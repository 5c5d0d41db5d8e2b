// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Layout: strings of argv[1..] | the kernel's random bytes | argv, environment and auxiliary vector, as the kernel has
// them behind each other | argv[0], last, since a program may be called by another path.
#include "runtime/entry/arguments.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/platform/raw.h"
#include "runtime/world/entropy.h"

namespace ravel::rt {

namespace {

constexpr std::uintptr_t kRegion = 0x51f000000000ull;
constexpr std::size_t kLimit = std::size_t{1} << 20;
constexpr std::size_t kKernelBytes = 16;

const Elf64_auxv_t* auxiliary(char** environment) {
  while (*environment != nullptr) ++environment;
  while (*environment == nullptr) ++environment;  // unsetenv leaves further zeros
  return reinterpret_cast<const Elf64_auxv_t*>(environment);
}

std::size_t entries(const Elf64_auxv_t* vector) {
  std::size_t count = 1;
  while (vector[count - 1].a_type != AT_NULL) ++count;
  return count;
}

}  // namespace

void move_arguments(ProgramEntry& entry) {
  const auto count = static_cast<std::size_t>(entry.argc);
  char** const environment = entry.argv + count + 1;
  const Elf64_auxv_t* const vector = auxiliary(environment);
  const std::size_t vector_bytes = entries(vector) * sizeof(Elf64_auxv_t);
  const std::size_t pointers_bytes =
      static_cast<std::size_t>(reinterpret_cast<const char*>(vector) - reinterpret_cast<const char*>(entry.argv));
  std::size_t strings = 0;
  for (std::size_t i = 0; i < count; ++i) strings += strlen(entry.argv[i]) + 1;
  const std::size_t needed = strings + kKernelBytes + 64 + pointers_bytes + vector_bytes;
  if (strings > kLimit) return;
  const long mapped = raw_syscall(SYS_mmap, static_cast<long>(kRegion), static_cast<long>(needed),
                                  PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != static_cast<long>(kRegion)) return;

  char* at = reinterpret_cast<char*>(kRegion);
  auto copy = [&at](const char* text) {
    const std::size_t bytes = strlen(text) + 1;
    char* const to = at;
    memcpy(to, text, bytes);
    at += bytes;
    return to;
  };
  char** const old = entry.argv;
  char* const first_string = at;
  for (std::size_t i = 1; i < count; ++i) copy(old[i]);
  at += -reinterpret_cast<std::uintptr_t>(at) & 15;
  char* const random_bytes = at;
  replace_kernel_entropy(random_bytes, kKernelBytes);
  at += kKernelBytes;

  auto** const argv = reinterpret_cast<char**>(at);
  memcpy(at, old, pointers_bytes);
  at += pointers_bytes;
  memcpy(at, vector, vector_bytes);
  // getauxval reads the original.
  for (auto* pair = const_cast<Elf64_auxv_t*>(vector); pair->a_type != AT_NULL; ++pair) {
    if (pair->a_type == AT_RANDOM) pair->a_un.a_val = reinterpret_cast<std::uint64_t>(random_bytes);
  }
  at += vector_bytes;
  char* string = first_string;
  for (std::size_t i = 1; i < count; string += strlen(string) + 1, ++i) argv[i] = string;
  if (count != 0) argv[0] = copy(old[0]);
  entry.argv = argv;
}

}  // namespace ravel::rt
