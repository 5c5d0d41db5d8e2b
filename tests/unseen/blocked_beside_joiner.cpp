// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Correct: the thread that would end the wait is at the join of another one, which has ended.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 2;
  const int nowhere = open("/dev/null", O_WRONLY);
  long moved = 0;
  std::atomic<bool> soon{false};
  std::thread brief([&] { soon = true; });
  std::thread reader([&] {
    while (!soon) std::this_thread::yield();
    moved = splice(ends[0], nullptr, nowhere, nullptr, 1, 0);
  });
  brief.join();
  if (write(ends[1], "x", 1) != 1) return 3;
  reader.join();
  return moved == 1 ? 0 : 1;
}
