// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// lose_notify: a thread waits without looking; the signal may have come before.
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable changed;
bool ready = false;

}  // namespace

int main() {
  std::thread notifier([] {
    std::lock_guard hold(lock);
    ready = true;
    changed.notify_all();
  });
  {
    std::unique_lock hold(lock);
#ifdef FIXED
    changed.wait(hold, [] { return ready; });
#else
    changed.wait(hold);
#endif
  }
  notifier.join();
}
