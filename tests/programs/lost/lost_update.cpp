// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lost update that every strategy finds at once; with ALWAYS each execution fails, after a data race. With KILLED the
// second and third process that runs it kill their whole group, as the kernel does when memory is short: they are the
// two that would confirm the failure.
#include <sys/syscall.h>

#include <cassert>
#include <csignal>
#include <cstdio>
#include <thread>

namespace {

int counter = 0;

void add() {
  const int before = counter;
  counter = before + 1;
}

[[maybe_unused]] void killed_twice() {
  std::FILE* file = std::fopen("runs.txt", "a+");
  std::fputc('x', file);
  std::fseek(file, 0, SEEK_END);
  const long runs = std::ftell(file);
  std::fclose(file);
  if (runs != 2 && runs != 3) return;
  long result = SYS_kill;  // not by a function, which would be the program's own virtual kill
  asm volatile("syscall" : "+a"(result) : "D"(0L), "S"(static_cast<long>(SIGKILL)) : "rcx", "r11", "memory");
}

}  // namespace

int main() {
#ifdef KILLED
  killed_twice();
#endif
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
#ifdef ALWAYS
  assert(counter > 2);
#else
  assert(counter == 2);
#endif
}
