// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Thread-specific data.
#include <limits.h>
#include <pthread.h>

#include "runtime/intercept/export.h"
#include "runtime/sync/keys.h"
#include "runtime/world/library_state.h"

using namespace ravel;
using namespace ravel::rt;

namespace {
// Keys made before control began are glibc's; ours are numbered above them.
constexpr pthread_key_t kFirstOwnKey = PTHREAD_KEYS_MAX;
bool ours(pthread_key_t key) {
  return g.in_control && key >= kFirstOwnKey;
}
}  // namespace

RAVEL_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  RAVEL_PASS_THROUGH(pthread_key_create, key, destructor);
  change_library_state(LibraryState::kKeys, RAVEL_CALLER);
  const int error = key_create(key, destructor);
  if (error == 0) *key += kFirstOwnKey;
  return error;
}

RAVEL_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (!ours(key)) return real().pthread_key_delete(key);
  change_library_state(LibraryState::kKeys, RAVEL_CALLER);
  return key_delete(key - kFirstOwnKey);
}

RAVEL_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!ours(key)) return real().pthread_getspecific(key);
  return const_cast<void*>(key_get(key - kFirstOwnKey));
}

RAVEL_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  // Without the declaration's attributes: a pointer to memory not yet written is a fine value.
  int (*const set)(pthread_key_t, const void*) = real().pthread_setspecific;
  if (!ours(key)) return set(key, value);
  return key_set(key - kFirstOwnKey, value);
}
