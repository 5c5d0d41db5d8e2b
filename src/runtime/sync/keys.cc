// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/keys.h"

#include <errno.h>
#include <limits.h>

#include "base/large_table.h"
#include "runtime/schedule/scheduler.h"

namespace ravel::rt {

namespace {
struct Key {
  bool used = false;
  void (*destructor)(void*) = nullptr;
};
RAVEL_LARGE_TABLE Key keys[kKeysPerThread];
}  // namespace

int key_create(pthread_key_t* key, void (*destructor)(void*)) {
  for (std::size_t i = 0; i < kKeysPerThread; ++i) {
    if (keys[i].used) continue;
    keys[i] = {true, destructor};
    // A new key has the value null in every thread.
    VirtualThread* const* list = nullptr;
    const std::uint32_t live = live_threads(list);
    for (std::uint32_t t = 0; t < live; ++t) list[t]->keys[i] = nullptr;
    *key = static_cast<pthread_key_t>(i);
    return 0;
  }
  return EAGAIN;
}

int key_delete(pthread_key_t key) {
  if (key >= kKeysPerThread || !keys[key].used) return EINVAL;
  keys[key].used = false;
  return 0;
}

const void* key_get(pthread_key_t key) {
  return key < kKeysPerThread ? g.current->keys[key] : nullptr;
}

int key_set(pthread_key_t key, const void* value) {
  if (key >= kKeysPerThread || !keys[key].used) return EINVAL;
  g.current->keys[key] = value;
  if (g.current->keys_used <= key) g.current->keys_used = key + 1;
  return 0;
}

void run_key_destructors(VirtualThread& thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (std::uint32_t i = 0; i < thread.keys_used; ++i) {
      const void* value = thread.keys[i];
      if (value == nullptr || !keys[i].used) continue;
      thread.keys[i] = nullptr;
      if (keys[i].destructor == nullptr) continue;
      keys[i].destructor(const_cast<void*>(value));
      any = true;
    }
    if (!any) return;
  }
}

}  // namespace ravel::rt
