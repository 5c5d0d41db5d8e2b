// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// timer_cancel: cancel() looks whether the timer has fired and then removes it; it may fire in between, after its owner
// thinks that it never will.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex wheel;
bool armed = true;
std::atomic<bool> owner_is_gone{false};

void fire() {
  std::unique_lock hold(wheel);
  if (!armed) return;
  armed = false;
#ifdef FIXED
  assert(!owner_is_gone);
#else
  hold.unlock();
  assert(!owner_is_gone);
#endif
}

void cancel() {
  std::lock_guard hold(wheel);
  armed = false;
}

}  // namespace

int main() {
  std::thread ticker(fire);
  cancel();
  owner_is_gone = true;
  ticker.join();
}
