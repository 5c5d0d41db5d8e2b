// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who creates first gets the lower key.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

int main() {
  pthread_key_t theirs = 0;
  std::thread other([&] { pthread_key_create(&theirs, nullptr); });
  pthread_key_t mine = 0;
  pthread_key_create(&mine, nullptr);
  other.join();
  ravel::observe("lower", mine < theirs);
}
