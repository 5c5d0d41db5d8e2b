// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Time as the tested program can measure it itself: clocks are virtual under the runtime, and so is the time-stamp
// counter of a program whose code reads it. This code is made while the program runs, so nobody finds it. The best of
// several rounds is reported, so that a busy machine does not matter.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// rdtsc; shl $32,%rdx; or %rdx,%rax; ret. Written with each byte inverted.
inline std::uint64_t (*make_counter())() {
  static const unsigned char kInverted[] = {0xf0, 0xce, 0xb7, 0x3e, 0x1d, 0xdf, 0xb7, 0xf6, 0x2f, 0x3c};
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) std::abort();
  auto* code = static_cast<unsigned char*>(page);
  for (unsigned char byte : kInverted) *code++ = static_cast<unsigned char>(~byte);
  return reinterpret_cast<std::uint64_t (*)()>(page);
}

template <class F>
void tell_best(int rounds, double operations, F&& body) {
  const auto now = make_counter();
  std::uint64_t best = ~std::uint64_t{0};
  for (int i = 0; i < rounds; ++i) {
    const std::uint64_t begin = now();
    body();
    const std::uint64_t ticks = now() - begin;
    if (ticks < best) best = ticks;
  }
  std::printf("ticks %.4f\n", static_cast<double>(best) / operations);
  std::fflush(stdout);
}
