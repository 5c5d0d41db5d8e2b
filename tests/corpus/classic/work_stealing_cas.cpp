// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// work_stealing_cas N: a deque without locks (Chase, Lev, "Dynamic circular work-stealing deque", SPAA 2005). Who gets
// the last item is decided by a compare-exchange of `top`; here the owner takes it without asking.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

constexpr int kMost = 16;
std::atomic<int> items[kMost];
std::atomic<int> top{0};
std::atomic<int> bottom{0};
std::atomic<int> done[kMost];

void push(int item) {
  const int at = bottom;
  items[at % kMost] = item;
  bottom = at + 1;
}

int pop() {
  const int at = bottom - 1;
  bottom = at;
  int first = top;
  if (first < at) return items[at % kMost];
  int item = -1;
#ifdef FIXED
  if (first == at && top.compare_exchange_strong(first, first + 1)) item = items[at % kMost];
#else
  if (first == at) {
    item = items[at % kMost];
    top = first + 1;
  }
#endif
  bottom = at + 1;
  return item;
}

int steal() {
  int first = top;
  if (first >= bottom) return -1;
  const int item = items[first % kMost];
  return top.compare_exchange_strong(first, first + 1) ? item : -1;
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
