// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/open_files.h"
#include "base/large_table.h"

namespace ravel::rt {

namespace {

constexpr int kDescriptors = 1024;
RAVEL_LARGE_TABLE std::uint32_t numbers[kDescriptors];
std::uint32_t last_number = 0;
int above = 0;  // the greatest descriptor that has a number, plus one

bool is_followed(int descriptor) {
  return descriptor >= 0 && descriptor < kDescriptors;
}

}  // namespace

std::uint32_t known_open_file_of(int descriptor) {
  return is_followed(descriptor) ? numbers[descriptor] : 0;
}

std::uint32_t open_file_of(int descriptor) {
  if (!is_followed(descriptor)) return 0;
  if (numbers[descriptor] == 0) {
    numbers[descriptor] = ++last_number;
    if (descriptor >= above) above = descriptor + 1;
  }
  return numbers[descriptor];
}

void note_duplicate(int from, int to) {
  if (!is_followed(to)) return;
  numbers[to] = open_file_of(from);
  if (to >= above) above = to + 1;
}

void forget_descriptor(int descriptor) {
  if (is_followed(descriptor)) numbers[descriptor] = 0;
}

bool has_descriptor(std::uint32_t open_file) {
  for (int i = 0; i < above; ++i) {
    if (numbers[i] == open_file) return true;
  }
  return false;
}

}  // namespace ravel::rt
