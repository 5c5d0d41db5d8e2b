// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One missing lock, many data races: four threads count what they do in one object. With SLOW each of them computes
// for a while first, so that executions are expensive. With TWO_CAUSES another object lacks a lock, too.
#include <thread>
#include <vector>

namespace {

struct Statistics {
  [[gnu::noinline]] void on_read() {
    ++reads;
    ++hits;
  }
  [[gnu::noinline]] void on_write() {
    ++writes;
    ++misses;
  }
  [[gnu::noinline]] void on_open() {
    ++opens;
    ++reads;
  }
  [[gnu::noinline]] void on_close() {
    ++closes;
    ++writes;
  }
  [[gnu::noinline]] int total() const {
    int sum = reads;
    sum += writes;
    sum += hits;
    sum += misses;
    sum += opens;
    sum += closes;
    return sum;
  }

  int reads = 0;
  int writes = 0;
  int hits = 0;
  int misses = 0;
  int opens = 0;
  int closes = 0;
};

#ifdef TWO_CAUSES
int audited = 0;
[[gnu::noinline]] void audit() {
  ++audited;
}
#endif

void compute() {
#ifdef SLOW
  for (long i = 0; i < 80'000'000; ++i) asm volatile("");
#endif
}

void work(Statistics& statistics, int number) {
  compute();
  for (int round = 0; round < 3; ++round) {
    statistics.on_read();
    statistics.on_write();
    if (number % 2 == 0) statistics.on_open();
    if (number % 2 == 1) statistics.on_close();
    if (round == 1) (void)statistics.total();
#ifdef TWO_CAUSES
    audit();
#endif
  }
}

}  // namespace

int main() {
  Statistics statistics;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&statistics, i] { work(statistics, i); });
  for (std::thread& thread : threads) thread.join();
  return statistics.total() == 0 ? 1 : 0;
}
