// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// main returns while a thread still runs: natively the thread often comes first.
//
// expect: kind=assertion lines=fails
#include <pthread.h>

#include <cassert>

static void* worker(void*) {
  assert(false);  // here: fails
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  return 0;
}
