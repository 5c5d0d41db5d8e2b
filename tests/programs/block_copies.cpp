// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Copies and fills of whole blocks are accesses like any other: a race on one is found with both compilers.
//
// expect: kind=data-race lines=copy,fill
#include <cstring>
#include <thread>

struct Block {
  char bytes[4096];
};

static Block shared;
static Block kept;

int main() {
  std::thread copies([] {
    kept = shared;  // here: copy
  });
  std::memset(&shared, 7, sizeof shared);  // here: fill
  copies.join();
  return kept.bytes[4095] == 1;
}
