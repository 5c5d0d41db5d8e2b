// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Waits with time-outs that are long beside the work that is waited for, while other threads sleep and look at the
// clock: the time-outs never fire. The sleepers make time pass all along.
//
// expect: clean
// iterations: 200
// operations: sleep,wake-up,wait,broadcast
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

namespace {

std::mutex mutex;
std::condition_variable ready;
int finished = 0;

void work() {
  for (int i = 0; i < 300; ++i) {
    const std::lock_guard<std::mutex> guard(mutex);
    ++finished;
  }
  ready.notify_all();
}

void sleep_beside() {
  for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(10s);
}

}  // namespace

int main() {
  std::thread sleeper(sleep_beside);
  std::thread first(work);
  std::thread second(work);
  {
    std::unique_lock<std::mutex> guard(mutex);
    const bool in_time = ready.wait_for(guard, 1s, [] { return finished == 600; });
    assert(in_time);
  }
  first.join();
  second.join();
  sleeper.join();
  return 0;
}
