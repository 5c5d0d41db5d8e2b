// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A folder that another thread makes is there or not yet.
//
// outcomes: 2
// options: --scratch
#include <ravel/ravel.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

int main() {
  std::thread other([] { mkdir("made", 0700); });
  const int there = access("made", F_OK);
  other.join();
  rmdir("made");
  ravel::observe("there", there);
}
