// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/fiber/question.h"

#include "runtime/fiber/context_switch.h"
#include "runtime/state/state.h"

namespace ravel::rt {

VirtualThread* g_asker = nullptr;

namespace {
VirtualThread* asked_thread = nullptr;
std::uintptr_t (*question)() = nullptr;
std::uintptr_t answer = 0;
}  // namespace

std::uintptr_t ask_thread(VirtualThread& asked, std::uintptr_t (*find)()) {
  g_asker = g.current;
  asked_thread = &asked;
  question = find;
  ravel_switch(&g.current->sp, asked.sp, asked.fs_base, has_fsgsbase() ? 1 : 0);
  g_asker = nullptr;
  return answer;
}

void answer_questions() {
  while (g_asker != nullptr) {
    answer = question();
    ravel_switch(&asked_thread->sp, g_asker->sp, g_asker->fs_base, has_fsgsbase() ? 1 : 0);
  }
}

}  // namespace ravel::rt
