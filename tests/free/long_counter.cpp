// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads add to a total under a lock, and work on memory of their own in between, as often as the argument says:
// with a large number their logs overflow, and what they do stays the same. Neither is far ahead of the other.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
long total = 0;
long last = 0;
int own[2][64];
std::atomic<long> turns[2];
constexpr long kFar = 20;

void work(int number, long times) {
  for (long i = 0; i < times; ++i) {
    turns[number] = i;
    while (turns[1 - number] + kFar < i) std::this_thread::yield();
    for (int k = 0; k < 8; ++k) own[number][(i + k) % 64] += k;
    const std::lock_guard hold(guard);
    total += 1;
    if (number == 0) {
      last = total;
    } else {
      total += last != 0 ? 1 : 0;
    }
  }
  turns[number] = times;
}

}  // namespace

int main(int argc, char** argv) {
  const long times = argc > 1 ? std::atol(argv[1]) : 3;
  std::thread other(work, 1, times);
  work(0, times);
  other.join();
  return total >= 2 * times ? 0 : 1;
}
