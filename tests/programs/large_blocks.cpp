// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Blocks of 40 KB to 1.1 MB, written in whole, freed and taken again: fresh memory and calloc read as zero in every
// execution, whatever earlier ones wrote there.
//
// expect: clean
// iterations: 40
// operations: create,join
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {
constexpr std::size_t kSizes[] = {40'000, 150'000, 1'100'000};
std::atomic<int> turns{0};
std::atomic<bool> dirty{false};
void* (*volatile allocate)(std::size_t) =
    std::malloc;  // a compiler that sees malloc may take what is read there for anything

bool is_zero(const unsigned char* block, std::size_t bytes) {
  return block[0] == 0 && std::memcmp(block, block + 1, bytes - 1) == 0;
}

void use_blocks(int value) {
  for (const std::size_t bytes : kSizes) {
    auto* const fresh = static_cast<unsigned char*>(allocate(bytes));
    if (!is_zero(fresh, bytes)) dirty = true;  // never used before in this execution
    std::memset(fresh, value, bytes);
    turns.fetch_add(1);
    auto* const zeroed = static_cast<unsigned char*>(std::calloc(1, bytes));
    if (!is_zero(zeroed, bytes)) dirty = true;
    zeroed[bytes / 2] = 1;
    std::free(zeroed);
    std::free(fresh);
  }
}
}  // namespace

int main() {
  std::thread other(use_blocks, 1);
  use_blocks(2);
  other.join();
  return dirty || turns != 6 ? 1 : 0;
}
