// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What instrumentation costs code that shares nothing: kernels KERNEL phase|private ROUNDS. `phase`: no second thread
// exists. `private`: another thread lives and waits, while this one works on memory that nobody else touches.
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "ticks.h"

namespace {

constexpr int kElements = 4096;

std::uint32_t next_random(std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state;
}

double array_update(std::vector<int>& values) {
  constexpr int kPasses = 16;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += static_cast<int>(i) ^ pass;
  }
  return static_cast<double>(values.size()) * kPasses;
}

double shellsort(std::vector<int>& values) {
  std::uint32_t random = 1;
  for (int& value : values) value = static_cast<int>(next_random(random) >> 8);
  for (std::size_t gap = values.size() / 2; gap > 0; gap /= 2) {
    for (std::size_t i = gap; i < values.size(); ++i) {
      const int value = values[i];
      std::size_t j = i;
      for (; j >= gap && values[j - gap] > value; j -= gap) values[j] = values[j - gap];
      values[j] = value;
    }
  }
  return static_cast<double>(values.size());
}

double hash_map(std::unordered_map<int, int>& map) {
  std::uint32_t random = 1;
  constexpr int kOperations = 8192;
  for (int i = 0; i < kOperations; ++i) map[static_cast<int>(next_random(random) >> 22)] += i;
  return kOperations;
}

// A block is allocated and freed in each pass over memory that stays.
double frees(std::vector<int>& values) {
  constexpr int kPasses = 16;
  for (int pass = 0; pass < kPasses; ++pass) {
    const auto block = std::make_unique<int>(pass);
    for (int& value : values) value += *block;
  }
  return static_cast<double>(values.size()) * kPasses;
}

void run(const char* kernel, int rounds) {
  std::vector<int> values(kElements);
  std::unordered_map<int, int> map;
  double operations = 1;
  const auto body = [&] {
    if (std::strcmp(kernel, "array") == 0) {
      operations = array_update(values);
    } else if (std::strcmp(kernel, "sort") == 0) {
      operations = shellsort(values);
    } else if (std::strcmp(kernel, "frees") == 0) {
      operations = frees(values);
    } else {
      operations = hash_map(map);
    }
  };
  body();
  tell_best(rounds, operations, body);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const bool beside_a_thread = std::strcmp(argv[2], "private") == 0;
  std::mutex mutex;
  std::condition_variable over;
  bool is_over = false;
  std::thread waiting;
  if (beside_a_thread) {
    waiting = std::thread([&] {
      std::unique_lock lock(mutex);
      over.wait(lock, [&] { return is_over; });
    });
  }
  run(argv[1], std::atoi(argv[3]));
  if (!beside_a_thread) return 0;
  {
    const std::lock_guard lock(mutex);
    is_over = true;
  }
  over.notify_one();
  waiting.join();
  return 0;
}
