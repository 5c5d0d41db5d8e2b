// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Three threads make plain accesses of 1 to 8 bytes to two blocks of the heap, some under a lock; which, follows from
// the number that the program is given. Each access has a place of its own in the code, so that each race has a name.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace {

constexpr std::size_t kPlaces = 9;
std::mutex lock;

template <class Word>
void access(char* at, bool write) {
  auto* const word = reinterpret_cast<Word*>(at);
  if (write) {
    *word = 1;
  } else {
    const Word value = *word;
    asm volatile("" ::"r"(value));
  }
}

template <std::size_t kPlace>
__attribute__((noinline)) void make(char* block, std::uint32_t what) {
  const bool write = (what & 1) != 0;
  const bool locked = (what >> 1 & 3) == 0;
  const std::uint32_t size = what >> 3 & 3;
  char* const at = block + ((what >> 5 & 7) & ~((1u << size) - 1));
  if (locked) lock.lock();
  if (size == 0) access<std::uint8_t>(at, write);
  if (size == 1) access<std::uint16_t>(at, write);
  if (size == 2) access<std::uint32_t>(at, write);
  if (size == 3) access<std::uint64_t>(at, write);
  if (locked) lock.unlock();
  asm volatile("" ::"i"(kPlace));
}

template <std::size_t... kAll>
constexpr auto list(std::index_sequence<kAll...>) {
  return std::array{&make<kAll>...};
}
constexpr auto kMakers = list(std::make_index_sequence<kPlaces>());

}  // namespace

int main(int, char** arguments) {
  std::uint64_t state = std::strtoull(arguments[1], nullptr, 10) * 0x9e3779b97f4a7c15ull + 1;
  std::array<std::uint32_t, kPlaces> plan{};
  for (std::uint32_t& what : plan) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    what = static_cast<std::uint32_t>(state >> 40);
  }
  const auto one = std::make_unique<char[]>(8);
  const auto other = std::make_unique<char[]>(8);
  std::array<std::thread, 3> threads;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&, t] {
      for (std::size_t i = t; i < kPlaces; i += threads.size()) {
        kMakers[i]((plan[i] >> 9 & 3) != 0 ? one.get() : other.get(), plan[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
