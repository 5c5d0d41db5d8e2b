// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Heap and block operations from several threads: strings, vectors, copies, memory handed from one thread to another.
//
// expect: clean
// operations: lock,unlock
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::vector<std::unique_ptr<std::string>> letters;

void write(char letter) {
  auto text = std::make_unique<std::string>(200, letter);
  std::vector<char> copy(text->size());
  std::memcpy(copy.data(), text->data(), copy.size());
  std::memmove(copy.data() + 1, copy.data(), copy.size() - 1);
  std::memset(copy.data(), letter, 10);
  assert(std::string(copy.begin(), copy.end()) == *text);
  std::lock_guard<std::mutex> guard(mutex);
  letters.push_back(std::move(text));
}

void raw() {
  void* block = std::calloc(16, 64);
  for (int i = 0; i < 1024; ++i) {
    assert(static_cast<char*>(block)[i] == 0);
  }
  block = std::realloc(block, 100'000);
  assert(block != nullptr);
  std::free(block);
  void* aligned = nullptr;
  assert(posix_memalign(&aligned, 256, 1000) == 0);
  assert(reinterpret_cast<std::uintptr_t>(aligned) % 256 == 0);
  std::free(aligned);
}

}  // namespace

int main() {
  std::thread first([] { write('a'); });
  std::thread second([] {
    raw();
    write('b');
  });
  first.join();
  second.join();
  assert(letters.size() == 2);
  for (const auto& letter : letters) {
    assert(letter->size() == 200);
  }
  return 0;
}
