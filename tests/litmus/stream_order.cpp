// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads write to one stream.
//
// outcomes: 2
#include <ravel/ravel.h>

#include <cstdio>
#include <thread>

int main() {
  std::FILE* const stream = tmpfile();
  std::thread other([&] { std::fputc('a', stream); });
  std::fputc('b', stream);
  other.join();
  std::rewind(stream);
  ravel::observe("first", std::fgetc(stream) == 'a' ? 1 : 0);
}
