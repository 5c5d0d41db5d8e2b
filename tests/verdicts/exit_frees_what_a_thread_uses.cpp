// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The destructor of a static vector frees what a detached thread still writes to.
//
// expect: kind=use-after-free|data-race|heap-use-after-free also=data-race|use-after-free
#include <thread>
#include <vector>

static std::vector<int> numbers(100);

int main() {
  std::thread([] { numbers[7] = 1; }).detach();
  return 0;
}
