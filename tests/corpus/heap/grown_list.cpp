// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A pointer to an element is kept over an unlock; growing moves the elements (realloc).
//
// expect: kind=use-after-free threads=T1,T2 lines=used,grown preemptions=1 also=data-race
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
int* items = nullptr;
std::size_t count = 0;

void append(int value) {
  const std::lock_guard<std::mutex> lock(guard);
  items = static_cast<int*>(std::realloc(items, (count + 1) * 64 * sizeof(int)));  // here: grown
  items[count++] = value;
}

void bump_first() {
  guard.lock();
  int* const first = &items[0];
#ifdef FIXED
  ++*first;
  guard.unlock();
#else
  guard.unlock();
  ++*first;  // here: used
#endif
}

}  // namespace

int main() {
  append(1);
  std::thread changer(bump_first);
  std::thread grower([] { append(2); });
  changer.join();
  grower.join();
  std::free(items);
}
