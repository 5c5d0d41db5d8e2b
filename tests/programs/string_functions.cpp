// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C library's functions on strings are accesses like any other: a race on one is found with both compilers.
//
// expect: kind=data-race lines=copy,length
#include <cstring>
#include <thread>

static char name[64] = "nobody";

int main(int, char** argv) {
  std::thread renames([&] {
    std::strncpy(name, argv[0], 8);  // here: copy
  });
  const std::size_t length = std::strlen(name);  // here: length
  renames.join();
  return length == 40;
}
