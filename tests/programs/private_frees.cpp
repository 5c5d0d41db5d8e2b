// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread works on memory of its own and frees a block in each round, while another one waits: what was recorded of
// the rest is not recorded again. Blocks that come back from malloc are new memory.
//
// expect: clean
// iterations: 3
// options: --max-steps 100000 --strategy pos
// events: 12000
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

int main() {
  constexpr std::size_t kNumbers = 1000;
  constexpr int kRounds = 500;
  std::mutex mutex;
  mutex.lock();
  std::thread waiting([&mutex] { const std::lock_guard<std::mutex> guard(mutex); });
  std::vector<int> numbers(kNumbers);
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t bytes = round % 50 == 0 ? 600'000 : static_cast<std::size_t>(round) * 16 + 1;
    const auto block = std::make_unique_for_overwrite<char[]>(bytes);
    block[0] = block[bytes - 1] = 1;
    for (int& number : numbers) number += block[0];
  }
  mutex.unlock();
  waiting.join();
  return std::accumulate(numbers.begin(), numbers.end(), 0) == kRounds * static_cast<int>(kNumbers) ? 0 : 1;
}
