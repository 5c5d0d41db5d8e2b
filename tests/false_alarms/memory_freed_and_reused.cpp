// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Heap blocks freed by one thread and given to the other, stacks of ended threads given to new ones, and blocks that
// travel.
//
// expect: clean
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

void churn(int value) {
  for (int i = 0; i < 4; ++i) {
    const auto block = std::make_unique<int[]>(8);
    for (int k = 0; k < 8; ++k) block[k] = value;
    assert(block[7] == value);
    char* const text = static_cast<char*>(std::malloc(16));
    std::memset(text, value, 16);
    std::free(std::realloc(text, 64));
  }
}

void on_stack(int value) {
  volatile int local[16];
  for (int i = 0; i < 16; ++i) local[i] = value;
  assert(local[15] == value);
}

}  // namespace

int main() {
  std::thread first(churn, 1);
  std::thread second(churn, 2);
  first.join();
  second.join();
  for (int i = 0; i < 2; ++i) {
    std::thread one(on_stack, i);
    std::thread two(on_stack, i + 10);
    one.join();
    two.join();
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<std::string>> mailbox;
  std::thread sender([&] {
    for (int i = 0; i < 2; ++i) {
      auto letter = std::make_unique<std::string>(40, 'a');
      const std::lock_guard<std::mutex> guard(mutex);
      mailbox.push_back(std::move(letter));
    }
  });
  for (int i = 0; i < 2; ++i) {
    std::vector<std::unique_ptr<std::string>> taken;
    {
      const std::lock_guard<std::mutex> guard(mutex);
      taken.swap(mailbox);
    }
    for (const auto& letter : taken) assert(letter->size() == 40);
  }
  sender.join();
  return 0;
}
