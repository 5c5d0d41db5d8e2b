// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A detached thread runs before main's return, between that and the destructors of static objects, after them, or not
// at all.
//
// expect: clean
// outcomes: | gone=0 | gone=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>

static std::atomic<int> gone{0};

struct Static {
  ~Static() { gone.store(1); }
};
static Static object;

static void* worker(void*) {
  ravel::observe("gone", gone.load());
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_detach(thread);
}
