// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A call in a loop that is entered with a lock and repeated without it: what else is held there is still known.
//
// expect: classes 2, RW 0
#include <mutex>
#include <thread>

std::mutex around;
std::mutex inside;
int x = 0;

void touch() {
  inside.lock();
  ++x;
  inside.unlock();
}

void work() {
  bool held = true;
  around.lock();
  for (int i = 0; i < 2; ++i) {
    touch();
    if (held) around.unlock();
    held = false;
  }
}

int main() {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
}
