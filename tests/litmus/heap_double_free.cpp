// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads free what they find: one of them takes it, or both do.
// options: --points racy
// outcomes: 2
#include <thread>

static int* volatile block = new int(1);

static void take() {
  int* const mine = block;
  if (mine == nullptr) return;
  block = nullptr;
  delete mine;
}

int main() {
  std::thread first(take);
  std::thread second(take);
  first.join();
  second.join();
  return 0;
}
