// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which memory is written depends on the schedule, and is looked at by the next execution.
//
// isolation: any
#include "left_behind.h"

std::atomic<int> order{0};
int places[64][64];

int main() {
  int before = 0;
  for (auto& row : places) before += row[0];
  assert(before == 0);
  std::atomic<int> hash{1};
  auto work = [&](int who) {
    for (int i = 0; i < 6; ++i) hash.store(hash.load() * 3 + who);
  };
  in_two_threads(work);
  places[static_cast<unsigned>(hash.load()) % 64][0] = 1;
}
