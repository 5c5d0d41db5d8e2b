// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A failure deep inside a long execution: four threads, thousands of critical sections, and now and then a check and an
// act in two sections that belong into one. One preemption is enough, at the right place.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 600;
constexpr int kEvery = 40;  // rounds between two reservations

std::mutex queue_mutex;
long handled = 0;
std::mutex seats_mutex;
int owner = -1;

void handle() {
  const std::lock_guard guard(queue_mutex);
  ++handled;
}

void reserve_and_release(int self) {
  {
    const std::lock_guard guard(seats_mutex);
    if (owner >= 0) return;
  }
  {
    const std::lock_guard guard(seats_mutex);
    assert(owner < 0);  // somebody else took the seat in between
    owner = self;
  }
  const std::lock_guard guard(seats_mutex);
  owner = -1;
}

void work(int self) {
  for (int round = 1; round <= kRounds; ++round) {
    handle();
    if (round % kEvery == 0) reserve_and_release(self);
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  return handled == kThreads * kRounds ? 0 : 1;
}
