// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that one statement creates with arguments of their own: only the last one sets `late', all others set
// `early'. Main fails when it sees `late' without `early', so the last thread has to be the first.
#include <atomic>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

std::atomic<int> early{0};
std::atomic<int> late{0};

void run(int number) {
  if (number == 3) {
    late = 1;
  } else {
    early = 1;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back(run, i);
  const bool wrong = late == 1 && early == 0;
  ravel::check(!wrong, "!wrong");  // here: check
  for (std::thread& thread : threads) thread.join();
}
