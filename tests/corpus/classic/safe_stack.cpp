// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// safe_stack: a lock-free stack of indices with a count that is to keep threads out while it is nearly empty. Known for
// needing at least three threads and five preemptions; this form of it needs seven, as a walk over all its states says.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

constexpr int kCells = 3;
struct Cell {
  std::atomic<int> next{-1};
  std::atomic<int> value{0};
};
Cell cells[kCells];
std::atomic<int> count{kCells};
std::atomic<int> head{0};
#ifdef FIXED
std::mutex whole;
#endif

int pop() {
#ifdef FIXED
  std::lock_guard hold(whole);
#endif
  while (count > 1) {
    const int first = head;
    const int second = cells[first].next.exchange(-1);
    if (second >= 0) {
      int expected = first;
      if (head.compare_exchange_strong(expected, second)) {
        --count;
        return first;
      }
      cells[first].next.exchange(second);
    }
  }
  return -1;
}

void push(int cell) {
#ifdef FIXED
  std::lock_guard hold(whole);
#endif
  int first = head;
  do cells[cell].next = first;
  while (!head.compare_exchange_strong(first, cell));
  ++count;
}

void user(int self) {
  for (int round = 0; round < 2; ++round) {
    int cell = pop();
    if (cell < 0) return;
    cells[cell].value = self;
    assert(cells[cell].value == self);
    push(cell);
  }
}

}  // namespace

int main() {
  for (int i = 0; i + 1 < kCells; ++i) cells[i].next = i + 1;
  std::thread first(user, 1);
  std::thread second(user, 2);
  user(3);
  first.join();
  second.join();
}
