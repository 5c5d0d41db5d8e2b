// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Real work beside a thread that waits: work KERNEL ROUNDS. Sorting, a tree, a matrix product and strings, on memory
// that nobody else touches.
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "ticks.h"

namespace {

constexpr std::size_t kSorted = 1'000'000;
constexpr int kInserted = 50'000;
constexpr std::size_t kRows = 160;
constexpr int kWords = 20'000;

std::uint32_t next_random(std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state;
}

double sort_ints(std::vector<int>& values) {
  values.resize(kSorted);
  std::uint32_t random = 1;
  for (int& value : values) value = static_cast<int>(next_random(random) >> 4);
  std::sort(values.begin(), values.end());
  return static_cast<double>(kSorted);
}

double insert_into_tree() {
  std::map<int, int> tree;
  std::uint32_t random = 1;
  for (int i = 0; i < kInserted; ++i) tree[static_cast<int>(next_random(random) >> 8)] = i;
  return kInserted;
}

double multiply(std::vector<double>& a, std::vector<double>& b, std::vector<double>& c) {
  for (std::vector<double>* matrix : {&a, &b, &c}) matrix->assign(kRows * kRows, 1.5);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kRows; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < kRows; ++k) sum += a[i * kRows + k] * b[k * kRows + j];
      c[i * kRows + j] = sum;
    }
  }
  return static_cast<double>(kRows * kRows * kRows);
}

double strings() {
  std::string text;
  std::uint32_t random = 1;
  for (int i = 0; i < kWords; ++i)
    text += "word" + std::to_string(next_random(random) >> 20) + (i % 7 == 0 ? "\n" : " ");
  std::map<std::string, int> counts;
  std::istringstream words(text);
  for (std::string word; words >> word;) ++counts[word];
  return kWords;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::mutex mutex;
  std::condition_variable over;
  bool is_over = false;
  std::thread waiting([&] {
    std::unique_lock lock(mutex);
    over.wait(lock, [&] { return is_over; });
  });
  std::vector<int> values;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
  double operations = 1;
  const auto body = [&] {
    if (std::strcmp(argv[1], "sort") == 0) operations = sort_ints(values);
    if (std::strcmp(argv[1], "tree") == 0) operations = insert_into_tree();
    if (std::strcmp(argv[1], "matrix") == 0) operations = multiply(a, b, c);
    if (std::strcmp(argv[1], "strings") == 0) operations = strings();
  };
  body();
  tell_best(std::atoi(argv[2]), operations, body);
  {
    const std::lock_guard lock(mutex);
    is_over = true;
  }
  over.notify_one();
  waiting.join();
  return 0;
}
