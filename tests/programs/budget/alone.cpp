// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Nothing is ever decided: there is one thread; with ONE_AT_A_TIME, one that can run.
#include <cstdio>
#include <thread>

int main() {
#ifdef ONE_AT_A_TIME
  std::thread([] { std::puts("from another thread"); }).join();
#endif
  std::puts("done");
  return 0;
}
