// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// work_stealing N: the owner pushes and pops N items at the tail of its deque, a thief takes them from the head. The
// conflict over the last item is decided under a lock; the defect: pop() looks at the head before it announces the new
// tail, so both take the same item.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr int kMost = 16;
std::atomic<int> items[kMost];
std::atomic<int> done[kMost];
std::atomic<int> head{0};
std::atomic<int> tail{0};
std::mutex lock;

void push(int item) {
  const int at = tail;
  items[at % kMost] = item;
  tail = at + 1;
}

int pop() {
#ifdef FIXED
  const int at = tail - 1;
  tail = at;
  if (head <= at - 1) return items[at % kMost];
#else
  const int at = tail - 1;
  const bool plenty = head <= at;
  tail = at;
  if (plenty) return items[at % kMost];
#endif
  std::lock_guard hold(lock);
  if (head <= at) return items[at % kMost];
  tail = at + 1;
  return -1;
}

int steal() {
  std::lock_guard hold(lock);
  const int at = head;
  head = at + 1;
  if (at < tail) return items[at % kMost];
  head = at;
  return -1;
}

void finish(int item) {
  if (item >= 0) assert(done[item]++ == 0);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::thread thief([&] {
    for (int i = 0; i < count; ++i) finish(steal());
  });
  for (int i = 0; i < count; ++i) push(i);
  for (int i = 0; i < count; ++i) finish(pop());
  thief.join();
}
