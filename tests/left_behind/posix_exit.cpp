// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// _exit without flushing, from another thread.
//
// isolation: repeat
#include <unistd.h>

#include <cstdio>

#include "left_behind.h"

int main() {
  std::printf("lost");
  in_two_threads([](int) {});
  std::thread([] { _exit(0); }).join();
}
