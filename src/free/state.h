// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the library knows: the block it shares with the tool, and the slot of the calling thread. Threads are the
// operating system's, so the slot is thread-local: a thread without one (a child of fork, a thread that is about to
// end, one that a signal handler has interrupted) is left alone by every hook.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "wire/free_block.h"

#define RAVEL_FREE_EXPORT extern "C" __attribute__((visibility("default")))
#define RAVEL_FREE_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace ravel::fr {

// What of the hooks at accesses is on; nothing: an access costs one increment.
enum HookBits : std::uint32_t { kHookNoise = 1, kHookObserve = 2, kHookTrace = 4, kHookWindows = 8, kHookHeal = 16 };

extern FreeBlock* g_block;  // nullptr: passes everything through
extern std::uint32_t g_hooks;
extern FreeLog* g_logs;  // nullptr: the run is not traced

// `constinit`, also here: else each use in another file asks first whether the variable is initialised.
extern constinit thread_local FreeThread* t_self __attribute__((tls_model("initial-exec")));

struct ThreadLocalState {
  Random random{0};
  std::uint32_t index = 0;
  bool other_keys_done = false;
  bool ending = false;              // its function has returned: what destructors do is recorded, and not disturbed
  std::uint32_t depth = 0;          // of calls, while the run is traced
  std::uintptr_t allocated_at = 0;  // the call of operator new that is under way
  const void* once = nullptr;       // the one-time initialisation that this thread runs
  std::uint32_t inside = 0;         // sections to be healed, by bit
  std::uint32_t held_at_entry[kFreeSections] = {};
  std::uint32_t leaving = 0;     // ... whose last operation is under way
  std::uintptr_t thrown_at = 0;  // the last throw
  void* thrown = nullptr;
};
extern constinit thread_local ThreadLocalState t_state __attribute__((tls_model("initial-exec")));

// A hook is skipped while another one of the same thread runs.
class Aside {
 public:
  Aside() : self_(t_self) { t_self = nullptr; }
  ~Aside() { t_self = self_; }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  [[nodiscard]] FreeThread* self() const { return self_; }

 private:
  FreeThread* self_;
};

inline std::uint32_t index_of(const FreeThread* thread) {
  return static_cast<std::uint32_t>(thread - g_block->threads);
}

std::uint64_t now_ns();

// The slot of a thread that is about to synchronise. Who has none leaves a gap in what is recorded.
inline FreeThread* synchronising() {
  FreeThread* const self = t_self;
  if (__builtin_expect(self == nullptr, 0) && g_block != nullptr) {
    g_block->unrecorded.fetch_add(1, std::memory_order_relaxed);
  }
  return self;
}
// In a child of fork: it has a copy of the block's mapping, which is the parent's to write.
void leave_in_child();
// Lists the program's modules again, after dlopen.
void list_modules();

}  // namespace ravel::fr
