// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that is blocked for ever in a system call that Ravel does not see.
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

int main() {
  std::thread reader([] {
    int ends[2] = {};
    char byte = 0;
    if (pipe(ends) != 0) return;
    long result = SYS_read;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(static_cast<long>(ends[0])), "S"(&byte), "d"(1L)
                 : "rcx", "r11", "memory");
  });
  reader.join();
  return 0;
}
