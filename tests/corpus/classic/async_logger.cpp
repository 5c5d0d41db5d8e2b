// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// async_logger: the writer ends when it was told to and the queue was empty, looked at in the wrong order: a line that
// comes between the two looks is lost.
#include <atomic>
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::deque<int> lines;
std::atomic<bool> stop{false};
int written = 0;

bool write_one() {
  std::lock_guard hold(lock);
  if (lines.empty()) return false;
  lines.pop_front();
  ++written;
  return true;
}

void writer() {
  for (;;) {
#ifdef FIXED
    const bool last = stop;
    while (write_one()) {
    }
#else
    while (write_one()) {
    }
    const bool last = stop;
#endif
    if (last) return;
    std::this_thread::yield();
  }
}

}  // namespace

int main() {
  std::thread background(writer);
  {
    std::lock_guard hold(lock);
    lines.push_back(1);
  }
  stop = true;
  background.join();
  assert(written == 1);
}
