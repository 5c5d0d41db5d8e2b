// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Heap memory in all the ways that look like a use of freed memory and are none: growing and shrinking in place, memory
// that comes back from quarantine, a pool on top of malloc, objects made anew in their old place, aligned blocks.
//
// expect: clean
// operations: create,lock,read,write,free
#include <malloc.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace {

std::mutex guard;

// Fixed cells out of one block, handed out last in first out.
class Pool {
 public:
  Pool() : memory_(static_cast<unsigned char*>(std::malloc(kCells * kBytes))) {
    for (std::size_t i = 0; i < kCells; ++i) free_.push_back(memory_ + i * kBytes);
  }
  ~Pool() { std::free(memory_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void* take() {
    const std::lock_guard<std::mutex> lock(guard);
    void* cell = free_.back();
    free_.pop_back();
    return cell;
  }
  void give(void* cell) {
    const std::lock_guard<std::mutex> lock(guard);
    free_.push_back(static_cast<unsigned char*>(cell));
  }

 private:
  static constexpr std::size_t kCells = 4;
  static constexpr std::size_t kBytes = 64;
  unsigned char* memory_;
  std::vector<unsigned char*> free_;
};

struct Item {
  explicit Item(int n) : number(n) {}
  virtual ~Item() = default;
  int number;
};

struct alignas(256) Wide {
  int value = 3;
};

void resize() {
  auto* text = static_cast<char*>(std::malloc(10));
  std::strcpy(text, "ravel");
  text = static_cast<char*>(std::realloc(text, 16));
  text = static_cast<char*>(std::realloc(text, 9));
  assert(std::strcmp(text, "ravel") == 0 && malloc_usable_size(text) >= 9);
  text[8] = 'x';
  text = static_cast<char*>(std::realloc(text, 100'000));
  text[99'999] = 'y';
  text = static_cast<char*>(std::realloc(text, 20));
  assert(std::strcmp(text, "ravel") == 0);
  std::free(text);
}

void recycle() {
  for (int round = 0; round < 600; ++round) {  // more than the quarantine holds
    auto item = std::make_unique<Item>(round);
    assert(item->number == round);
  }
}

void in_place(Pool& pool) {
  void* cell = pool.take();
  auto* item = new (cell) Item(1);
  item->~Item();
  item = new (cell) Item(2);
  assert(item->number == 2);
  item->~Item();
  pool.give(cell);
}

void aligned() {
  const auto wide = std::make_unique<Wide[]>(3);
  assert(reinterpret_cast<std::uintptr_t>(wide.get()) % 256 == 0 && wide[2].value == 3);
  void* block = nullptr;
  assert(posix_memalign(&block, 4096, 100) == 0);
  static_cast<char*>(block)[99] = 1;
  std::free(block);
  delete new (std::nothrow) Item(5);
}

}  // namespace

int main() {
  Pool pool;
  const auto work = [&pool] {
    resize();
    in_place(pool);
    aligned();
    recycle();
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  work();
}
