// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sources of chance: the kernel's and the C library's random bytes, and std::random_device at the functions of the C++
// library, which would use the processor's instructions.
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "runtime/intercept/export.h"
#include "runtime/world/entropy.h"

using namespace ravel::rt;

RAVEL_EXPORT ssize_t getrandom(void* buffer, std::size_t size, unsigned flags) {
  RAVEL_PASS_THROUGH(getrandom, buffer, size, flags);
  fill_entropy(buffer, size);
  return static_cast<ssize_t>(size);
}

RAVEL_EXPORT int getentropy(void* buffer, std::size_t size) {
  RAVEL_PASS_THROUGH(getentropy, buffer, size);
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  fill_entropy(buffer, size);
  return 0;
}

RAVEL_EXPORT std::uint32_t arc4random() noexcept {
  RAVEL_PASS_THROUGH(arc4random);
  return static_cast<std::uint32_t>(next_entropy());
}

RAVEL_EXPORT void arc4random_buf(void* buffer, std::size_t size) noexcept {
  RAVEL_PASS_THROUGH(arc4random_buf, buffer, size);
  fill_entropy(buffer, size);
}

RAVEL_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  RAVEL_PASS_THROUGH(arc4random_uniform, bound);
  if (bound < 2) return 0;
  return static_cast<std::uint32_t>((next_entropy() >> 32) * bound >> 32);
}

// std::random_device::_M_getval and its form of before C++11; the object itself is the library's.
namespace {
using Draw = unsigned (*)(void*);
unsigned draw(void* device, const char* symbol) {
  if (g.in_control) return static_cast<unsigned>(next_entropy());
  const auto function = reinterpret_cast<Draw>(library_function(symbol));
  return function != nullptr ? function(device) : 0;
}
}  // namespace

#define RAVEL_DRAW "_ZNSt13random_device9_M_getvalEv"
#define RAVEL_DRAW_OLD "_ZNSt13random_device16_M_getval_pretr1Ev"
RAVEL_EXPORT unsigned ravel_random_device(void* device) __asm__(RAVEL_DRAW);
RAVEL_EXPORT unsigned ravel_random_device(void* device) {
  return draw(device, RAVEL_DRAW);
}
RAVEL_EXPORT unsigned ravel_random_device_old(void* device) __asm__(RAVEL_DRAW_OLD);
RAVEL_EXPORT unsigned ravel_random_device_old(void* device) {
  return draw(device, RAVEL_DRAW_OLD);
}
