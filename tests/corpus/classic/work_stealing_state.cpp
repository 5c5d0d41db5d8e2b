// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// work_stealing_state N: items of a work-stealing deque have a state: queued, then taken. The thief takes a place of
// the ring and reads what is in it after it has left the lock; by then the owner has put another item there.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr int kPlaces = 2;
constexpr int kMost = 16;
enum State { kNew, kQueued, kTaken };
std::atomic<int> states[kMost];
std::atomic<int> places[kPlaces];
std::atomic<int> head{0};
std::atomic<int> tail{0};
std::mutex lock;

bool push(int item) {
  const int at = tail;
  if (at - head == kPlaces) return false;
  states[item] = kQueued;
  places[at % kPlaces] = item;
  tail = at + 1;
  return true;
}

int pop() {
  const std::lock_guard hold(lock);
  const int at = tail - 1;
  if (at < head) return -1;
  tail = at;
  return places[at % kPlaces];
}

int steal() {
  std::unique_lock hold(lock);
  const int at = head;
  if (at >= tail) return -1;
#ifdef FIXED
  const int item = places[at % kPlaces];
  head = at + 1;
  return item;
#else
  head = at + 1;
  hold.unlock();
  return places[at % kPlaces];
#endif
}

void take(int item) {
  if (item < 0) return;
  assert(states[item].exchange(kTaken) == kQueued);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 3;
  std::thread thief([&] {
    for (int i = 0; i < count; ++i) take(steal());
  });
  for (int i = 0; i < count; ++i) {
    if (!push(i)) take(pop());
  }
  for (int i = 0; i < kPlaces; ++i) take(pop());
  thief.join();
}
