// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A condition variable destroyed as soon as its waiter has been notified ([thread.condition.condvar]: it may still have
// to get its mutex back).
//
// expect: clean
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

struct Call {
  std::mutex& mutex;
  std::condition_variable answered;
  bool done = false;
};

}  // namespace

int main() {
  std::mutex mutex;
  Call* pending = nullptr;
  std::condition_variable called;
  std::thread server([&] {
    std::unique_lock<std::mutex> guard(mutex);
    called.wait(guard, [&] { return pending != nullptr; });
    pending->done = true;
    pending->answered.notify_one();
  });
  {
    Call call{mutex, {}, false};
    std::unique_lock<std::mutex> guard(mutex);
    pending = &call;
    called.notify_one();
    call.answered.wait(guard, [&] { return call.done; });
  }
  server.join();
  // Here the notifier destroys it.
  auto* const heap = new std::condition_variable;
  bool ready = false;
  bool waits = false;
  std::thread waiter([&] {
    std::unique_lock<std::mutex> guard(mutex);
    waits = true;
    if (!ready) heap->wait(guard);
  });
  for (bool deleted = false; !deleted; std::this_thread::yield()) {
    const std::lock_guard<std::mutex> guard(mutex);
    if (!waits) continue;
    ready = true;
    heap->notify_all();
    delete heap;
    deleted = true;
  }
  waiter.join();
  return 0;
}
