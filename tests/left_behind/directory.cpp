// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Working directory and file mode mask.
//
// isolation: repeat
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "left_behind.h"

int main() {
  char folder[4096];
  assert(getcwd(folder, sizeof folder) != nullptr && std::strcmp(folder, "/") != 0);
  assert(chdir("/") == 0);
  const mode_t before = umask(0177);
  assert(before != 0177);
  in_two_threads([](int) {
    char now[16];
    assert(getcwd(now, sizeof now) != nullptr && std::strcmp(now, "/") == 0);
  });
}
