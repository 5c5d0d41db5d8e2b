// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// reorder N: N - 1 setters write two variables one after the other; the checker must see both or none.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::atomic<int> a{0};
std::atomic<int> b{0};
#ifdef FIXED
std::mutex together;
#endif

void set() {
#ifdef FIXED
  std::lock_guard hold(together);
#endif
  a = 1;
  b = -1;
}

void check() {
#ifdef FIXED
  std::lock_guard hold(together);
#endif
  const int first = a;
  const int second = b;
  assert((first == 0 && second == 0) || (first == 1 && second == -1));
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> all;
  for (int i = 1; i < threads; ++i) all.emplace_back(set);
  all.emplace_back(check);
  for (std::thread& one : all) one.join();
}
