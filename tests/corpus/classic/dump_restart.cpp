// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dump_restart: a dump over a socket is ended by whoever sees it finished, as in a kernel's netlink: the state is freed
// after the lock was left and before the flag is reset, and a second caller frees it again.
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct Dump {
  int left = 1;
};

std::mutex lock;
Dump* dump = nullptr;
bool running = false;

void finish_dump() {
  Dump* mine = nullptr;
  {
    const std::lock_guard hold(lock);
    if (!running) return;
    if (dump->left > 0) --dump->left;
    if (dump->left != 0) return;
    mine = dump;
#ifdef FIXED
    running = false;
    dump = nullptr;
#endif
  }
  delete mine;
#ifndef FIXED
  const std::lock_guard hold(lock);
  running = false;
  dump = nullptr;
#endif
}

}  // namespace

int main() {
  dump = new Dump;
  running = true;
  std::thread one(finish_dump);
  std::thread other(finish_dump);
  one.join();
  other.join();
}
