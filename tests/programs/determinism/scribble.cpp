// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A program gone wild: it writes random bytes over the memory it shares with the tool. Arguments: seed, start and
// length in bytes from the start of that memory, number of writes.
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>

int main(int count, char** arguments) {
  if (count < 5) return 2;
  std::mutex mutex;
  int sum = 0;
  auto add = [&] {
    const std::lock_guard lock(mutex);
    ++sum;
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  std::mt19937_64 random(std::strtoull(arguments[1], nullptr, 10));
  auto* const shared = reinterpret_cast<volatile unsigned char*>(0x500000000000);
  const std::uint64_t start = std::strtoull(arguments[2], nullptr, 10);
  const std::uint64_t length = std::strtoull(arguments[3], nullptr, 10);
  const std::uint64_t writes = std::strtoull(arguments[4], nullptr, 10);
  for (std::uint64_t i = 0; i < writes; ++i) {
    const std::uint64_t at = start + random() % length;
    const std::uint64_t value = random();
    shared[at] = static_cast<unsigned char>(value >> 8) & (value % 3 == 0 ? 0xff : 0x0f);
  }
  assert(sum == 2);
  return static_cast<int>(random() % 3);
}
