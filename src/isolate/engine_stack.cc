// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/engine_stack.h"

#include "runtime/fiber/context_switch.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/raw.h"

namespace ravel {

void continue_on_engine_stack(void (*run)(void*), void* argument) {
  void* memory = rt::reserve_pages(kEngineStack, kEngineStackBytes);
  if (memory != reinterpret_cast<void*>(kEngineStack)) rt::fatal("the engine's stack is taken", kEngineStack);
  void* top = static_cast<char*>(memory) + kEngineStackBytes;
  void* abandoned = nullptr;
  ravel_switch(&abandoned, rt::make_context(top, run, argument), rt::read_fs_base(), rt::has_fsgsbase() ? 1 : 0);
  rt::fatal("the engine came back");
}

}  // namespace ravel
