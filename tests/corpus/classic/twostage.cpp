// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// twostage N: N - 1 writers set two values in two critical sections, and a reader that comes between them sees half of
// it. Every access is locked.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex first_lock;
std::mutex second_lock;
int first = 0;
int second = 0;
#ifdef FIXED
std::mutex whole;
#endif

void produce() {
#ifdef FIXED
  std::lock_guard both(whole);
#endif
  {
    std::lock_guard hold(first_lock);
    first = 1;
  }
  std::lock_guard hold(second_lock);
  second = 2;
}

void inspect() {
#ifdef FIXED
  std::lock_guard both(whole);
#endif
  int seen = 0;
  {
    std::lock_guard hold(first_lock);
    if (first == 0) return;
    seen = first;
  }
  std::lock_guard hold(second_lock);
  assert(second == seen + 1);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> all;
  for (int i = 1; i < threads; ++i) all.emplace_back(produce);
  all.emplace_back(inspect);
  for (std::thread& one : all) one.join();
}
