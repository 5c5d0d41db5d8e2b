// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The working folder belongs to the process.
//
// outcomes: 2
#include <ravel/ravel.h>
#include <unistd.h>

#include <cstring>
#include <thread>

int main() {
  if (chdir("/") != 0) return 1;
  int changed = 0;
  std::thread other([&] { changed = chdir("/tmp"); });
  char folder[64] = {};
  if (getcwd(folder, sizeof folder) == nullptr) return 1;
  other.join();
  ravel::observe("elsewhere", std::strcmp(folder, "/tmp") == 0 && changed == 0);
}
