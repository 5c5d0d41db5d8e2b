// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Neighbouring objects are different memory locations: chars of one word, members beside a bit field, elements of a
// vector.
//
// expect: clean
#include <cassert>
#include <thread>
#include <vector>

namespace {

struct Packed {
  char first = 0;
  char second = 0;
  short third = 0;
  unsigned bits : 3 = 0;
  unsigned : 0;
  unsigned others : 5 = 0;
};

Packed packed;
std::vector<char> bytes(8);

}  // namespace

int main() {
  std::thread one([] {
    packed.first = 1;
    packed.bits = 2;
    for (int i = 0; i < 8; i += 2) bytes[i] = 1;
  });
  std::thread two([] {
    packed.second = 3;
    packed.others = 4;
    for (int i = 1; i < 8; i += 2) bytes[i] = 2;
  });
  packed.third = 5;
  one.join();
  two.join();
  assert(packed.first + packed.second + packed.third == 9 && packed.bits == 2 && packed.others == 4);
  assert(bytes[0] == 1 && bytes[7] == 2);
  return 0;
}
