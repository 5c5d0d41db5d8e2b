// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The same program without optimisation, with much of it, position-independent and not: locks, a condition,
// thread-local storage, exceptions over switches and non-local jumps.
//
// expect: clean
// variants: -O0; -O0 -no-pie -fno-pie; -O1 -fno-omit-frame-pointer; -O2 -no-pie -fno-pie; -O3 -pie -fPIE; -Os; -O2
// -D_FORTIFY_SOURCE=2 operations: lock,unlock,wait,signal
#include <setjmp.h>

#include <cassert>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex mutex;
static std::condition_variable filled;
static std::deque<std::string> queue;
static thread_local int taken = 0;

static std::string take() {
  std::unique_lock lock(mutex);
  filled.wait(lock, [] { return !queue.empty(); });
  std::string front = std::move(queue.front());
  queue.pop_front();
  ++taken;
  if (front == "end") throw std::runtime_error(front);
  return front;
}

static void consume() {
  try {
    for (;;) assert(take().substr(0, 4) == "item");
  } catch (const std::runtime_error& error) {
    assert(std::strcmp(error.what(), "end") == 0);
  }
  assert(taken >= 1);
  static thread_local jmp_buf back;
  if (setjmp(back) == 0) {
    std::this_thread::yield();
    longjmp(back, 1);
  }
}

int main() {
  std::thread first(consume);
  std::thread second(consume);
  for (const char* text : {"item 1", "item 2", "end", "end"}) {
    std::lock_guard lock(mutex);
    queue.emplace_back(text);
    filled.notify_one();
  }
  first.join();
  second.join();
  assert(queue.empty() && taken == 0);
  return 0;
}
