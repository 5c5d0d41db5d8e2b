// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A program that brings its own malloc: blocks are used again at once, and nothing is said about it.
// expect: clean
// operations: create,lock
// iterations: 100
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

alignas(16) unsigned char memory[std::size_t{1} << 22];
std::size_t used = 0;
constexpr std::size_t kHeader = 16;
constexpr std::size_t kCell = 256;
void* last_freed = nullptr;
std::atomic_flag busy;
int calls = 0;

struct Locked {
  Locked() {
    while (busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Locked() { busy.clear(std::memory_order_release); }
};

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  const Locked locked;
  ++calls;
  if (last_freed != nullptr && size <= kCell) {
    void* again = last_freed;
    last_freed = nullptr;
    return again;
  }
  const std::size_t bytes = ((size < kCell ? kCell : size) + 15) & ~std::size_t{15};
  unsigned char* place = memory + used;
  used += kHeader + bytes;
  if (used > sizeof memory) return nullptr;
  *reinterpret_cast<std::size_t*>(place) = bytes;
  return place + kHeader;
}
void free(void* pointer) {
  if (pointer == nullptr) return;
  const Locked locked;
  if (*reinterpret_cast<std::size_t*>(static_cast<unsigned char*>(pointer) - kHeader) == kCell) last_freed = pointer;
}
void* calloc(std::size_t count, std::size_t each) {
  void* block = malloc(count * each);
  if (block != nullptr) std::memset(block, 0, count * each);
  return block;
}
void* realloc(void* pointer, std::size_t size) {
  void* block = malloc(size);
  if (pointer != nullptr && block != nullptr) {
    const std::size_t old = *reinterpret_cast<std::size_t*>(static_cast<unsigned char*>(pointer) - kHeader);
    std::memcpy(block, pointer, old < size ? old : size);
  }
  free(pointer);
  return block;
}
}

int main() {
  std::mutex mutex;
  int sum = 0;
  const auto work = [&mutex, &sum] {
    for (int i = 0; i < 3; ++i) {
      auto* number = static_cast<int*>(malloc(sizeof(int)));
      *number = i;
      const std::lock_guard<std::mutex> lock(mutex);
      sum += *number;
      free(number);
    }
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(sum == 6 && calls > 0);
}
