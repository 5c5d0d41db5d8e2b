// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that starts two of its like.
//
// expect: RW 1 or more
#include <pthread.h>

int leaves = 0;

void* grow(void* depth) {
  const long left = reinterpret_cast<long>(depth);
  if (left == 0) {
    ++leaves;
    return nullptr;
  }
  pthread_t one;
  pthread_t other;
  pthread_create(&one, nullptr, grow, reinterpret_cast<void*>(left - 1));
  pthread_create(&other, nullptr, grow, reinterpret_cast<void*>(left - 1));
  pthread_join(one, nullptr);
  pthread_join(other, nullptr);
  return nullptr;
}

int main() {
  grow(reinterpret_cast<void*>(2));
}
