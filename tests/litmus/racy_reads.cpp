// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A pointer that is read twice, beside a thread that clears it: the second read may find another value than the first.
// The race detector reports the first read only.
// options: --points racy
// outcomes: 3
#include <ravel/ravel.h>

#include <thread>

static int target = 7;
static int* volatile pointer = &target;

int main() {
  int checked = 0;
  int used = 0;
  std::thread reader([&] {
    checked = pointer != nullptr;
    used = pointer != nullptr;
  });
  std::thread clearer([] { pointer = nullptr; });
  reader.join();
  clearer.join();
  ravel::observe("checked", checked);
  ravel::observe("used", used);
}
