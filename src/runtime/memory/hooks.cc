// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// In a file of its own, so that no compiler inlines these into the callers.
#include "runtime/memory/hooks.h"

namespace ravel::rt {

__attribute__((weak)) unsigned heap_thread_index() {
  return 0;
}
__attribute__((weak)) bool refuse_alloc(std::uintptr_t) {
  return false;
}
__attribute__((weak)) void on_alloc(const BlockInfo&) {}
__attribute__((weak)) void on_resize(std::uintptr_t, std::size_t, std::size_t) {}
__attribute__((weak)) void before_free(std::uintptr_t, std::uintptr_t) {}
__attribute__((weak)) void on_free(const BlockInfo&, std::uintptr_t) {}
__attribute__((weak)) void on_invalid_free(const BlockInfo&, std::uintptr_t, std::uintptr_t) {}

}  // namespace ravel::rt
