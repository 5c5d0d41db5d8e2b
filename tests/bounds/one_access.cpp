// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// one_access HOW WIDTH SIZE OFFSET: one access at an offset of a block of that size, while another thread lives. A
// block of the same size lies before it and one behind.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

namespace {

char buffer[4096];

template <class Word>
__attribute__((noinline)) void access(const std::string& how, char* at) {
  Word word;
  if (how == "read") {
    word = *reinterpret_cast<Word*>(at);
    std::memcpy(buffer, &word, sizeof word);
  } else if (how == "write") {
    std::memcpy(&word, buffer, sizeof word);
    *reinterpret_cast<Word*>(at) = word;
  } else if (how == "load") {
    (void)reinterpret_cast<std::atomic<Word>*>(at)->load();
  } else {
    (void)reinterpret_cast<std::atomic<Word>*>(at)->fetch_add(1);
  }
}

void access_bytes(const std::string& how, char* at, std::size_t width) {
  if (how == "copy-from") {
    std::memcpy(buffer, at, width);
  } else if (how == "copy-to") {
    std::memcpy(at, buffer, width);
  } else if (how == "fill") {
    std::memset(at, 1, width);
  } else if (how == "strcpy") {
    std::memset(buffer, 'x', width - 1);
    buffer[width - 1] = 0;
    std::strcpy(at, buffer);
  } else if (width == 1) {
    access<std::uint8_t>(how, at);
  } else if (width == 2) {
    access<std::uint16_t>(how, at);
  } else if (width == 4) {
    access<std::uint32_t>(how, at);
  } else {
    access<std::uint64_t>(how, at);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto width = static_cast<std::size_t>(std::atol(argv[2]));
  const auto size = static_cast<std::size_t>(std::atol(argv[3]));
  char* blocks[3];
  for (char*& block : blocks) block = static_cast<char*>(std::calloc(size, 1));
  std::mutex mutex;
  mutex.lock();
  std::thread waiting([&mutex] { const std::lock_guard<std::mutex> guard(mutex); });
  if (size != 0) blocks[1][0] = 1;  // the block is known already
  access_bytes(argv[1], blocks[1] + std::atol(argv[4]), width);
  mutex.unlock();
  waiting.join();
  for (char* block : blocks) std::free(block);
  return 0;
}
