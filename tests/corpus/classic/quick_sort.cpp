// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// quick_sort N: N workers sort an array with a shared stack of ranges. A worker that finds the stack empty goes home
// although another one is about to push: in the end one of them does all the work.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::vector<int> numbers;
std::mutex lock;
std::condition_variable changed;
std::vector<std::pair<int, int>> ranges;
int busy = 0;
bool left_early = false;

int partition(int low, int high) {
  const int pivot = numbers[static_cast<std::size_t>(high)];
  int at = low;
  for (int i = low; i < high; ++i) {
    if (numbers[static_cast<std::size_t>(i)] < pivot) {
      std::swap(numbers[static_cast<std::size_t>(i)], numbers[static_cast<std::size_t>(at++)]);
    }
  }
  std::swap(numbers[static_cast<std::size_t>(at)], numbers[static_cast<std::size_t>(high)]);
  return at;
}

bool take(std::pair<int, int>& range) {
  std::unique_lock hold(lock);
#ifdef FIXED
  changed.wait(hold, [] { return !ranges.empty() || busy == 0; });
#endif
  if (ranges.empty()) {
    left_early = left_early || busy != 0;
    return false;
  }
  range = ranges.back();
  ranges.pop_back();
  ++busy;
  return true;
}

void work() {
  std::pair<int, int> range;
  while (take(range)) {
    const int middle = partition(range.first, range.second);
    const std::lock_guard hold(lock);
    if (middle - 1 > range.first) ranges.emplace_back(range.first, middle - 1);
    if (range.second > middle + 1) ranges.emplace_back(middle + 1, range.second);
    --busy;
    changed.notify_all();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 2;
  numbers = {5, 2, 7, 1, 6, 3, 4};
  ranges.emplace_back(0, static_cast<int>(numbers.size()) - 1);
  std::vector<std::thread> all;
  for (int i = 0; i < workers; ++i) all.emplace_back(work);
  for (std::thread& one : all) one.join();
  for (std::size_t i = 1; i < numbers.size(); ++i) assert(numbers[i - 1] <= numbers[i]);
  assert(!left_early);
}
