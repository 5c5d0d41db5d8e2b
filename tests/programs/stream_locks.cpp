// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// flockfile over several calls: whoever holds a stream is not interrupted by other writers, however they write; the
// lock counts, and orders what it protects.
//
// expect: clean
// operations: lock,trylock,unlock
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

static int entries = 0;

static void write_entry(FILE* file, char c) {
  flockfile(file);
  std::fputc(c, file);
  assert(ftrylockfile(file) == 0);
  ++entries;
  std::this_thread::yield();
  std::fprintf(file, "%c", c);
  funlockfile(file);
  std::this_thread::yield();
  std::fwrite(&c, 1, 1, file);
  funlockfile(file);
}

int main() {
  std::FILE* file = std::tmpfile();
  assert(file != nullptr);
  std::thread first([&] { write_entry(file, 'a'); });
  std::thread second([&] { write_entry(file, 'b'); });
  std::thread third([&] { std::fputs("|", file); });
  std::thread fourth([] {
    flockfile(stdout);
    std::printf("one ");
    std::this_thread::yield();
    std::printf("line\n");
    funlockfile(stdout);
  });
  std::printf("%d\n", 1);
  first.join();
  second.join();
  third.join();
  fourth.join();
  assert(entries == 2);
  std::rewind(file);
  char text[16] = {};
  assert(std::fread(text, 1, sizeof text, file) == 7);
  const std::string written = text;
  assert(written.find("aaa") != std::string::npos);
  assert(written.find("bbb") != std::string::npos);
  assert(written.find('|') != std::string::npos);
  return 0;
}
