// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Vyukov's bounded queue: a number in each cell says whose turn it is, the data are plain.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

namespace {

struct Cell {
  std::atomic<std::size_t> turn;
  int data;
};

Cell cells[2] = {{0, 0}, {1, 0}};
std::atomic<std::size_t> next_put{0};
std::atomic<std::size_t> next_take{0};
std::atomic<int> sum{0};

bool put(int value) {
  std::size_t at = next_put.load(std::memory_order_relaxed);
  for (;;) {
    Cell& cell = cells[at % 2];
    const std::size_t turn = cell.turn.load(std::memory_order_acquire);
    const auto ahead = static_cast<std::ptrdiff_t>(turn - at);
    if (ahead < 0) return false;
    if (ahead > 0) {
      at = next_put.load(std::memory_order_relaxed);
    } else if (next_put.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
      cell.data = value;
      cell.turn.store(at + 1, std::memory_order_release);
      return true;
    }
  }
}

bool take(int& value) {
  std::size_t at = next_take.load(std::memory_order_relaxed);
  for (;;) {
    Cell& cell = cells[at % 2];
    const std::size_t turn = cell.turn.load(std::memory_order_acquire);
    const auto ahead = static_cast<std::ptrdiff_t>(turn - (at + 1));
    if (ahead < 0) return false;
    if (ahead > 0) {
      at = next_take.load(std::memory_order_relaxed);
    } else if (next_take.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
      value = cell.data;
      cell.turn.store(at + 2, std::memory_order_release);
      return true;
    }
  }
}

void produce(int value) {
  while (!put(value)) std::this_thread::yield();
}

void consume() {
  int value = 0;
  if (take(value)) sum += value;
}

}  // namespace

int main() {
  std::thread first(produce, 1);
  std::thread second(produce, 2);
  std::thread third(consume);
  consume();
  first.join();
  second.join();
  third.join();
  int value = 0;
  while (take(value)) sum += value;
  assert(sum == 3);
  return 0;
}
