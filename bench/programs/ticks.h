// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Time as the tested program can measure it itself: clocks are virtual under the runtime, the time-stamp counter is
// not. The best of several rounds is told, so that a busy machine does not matter.
#pragma once

#include <x86intrin.h>

#include <cstdint>
#include <cstdio>

template <class F>
void tell_best(int rounds, double operations, F&& body) {
  std::uint64_t best = ~std::uint64_t{0};
  for (int i = 0; i < rounds; ++i) {
    const std::uint64_t begin = __rdtsc();
    body();
    const std::uint64_t ticks = __rdtsc() - begin;
    if (ticks < best) best = ticks;
  }
  std::printf("ticks %.4f\n", static_cast<double>(best) / operations);
  std::fflush(stdout);
}
