// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A block is read by one thread and freed by another, and nothing orders the two: the read may come too late.
// options: --points shared
// outcomes: 2
#include <thread>

int main() {
  int* const block = new int(3);
  int seen = 0;
  std::thread reader([&] { seen = *block; });
  std::thread owner([&] { delete block; });
  reader.join();
  owner.join();
  return 0;
}
