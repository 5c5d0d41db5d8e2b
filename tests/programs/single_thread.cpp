// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One thread alone: there is nothing to schedule.
//
// expect: vacuous message=thread
#include <vector>

int main() {
  std::vector<int> values(10, 1);
  int sum = 0;
  for (const int value : values) {
    sum += value;
  }
  return sum == 10 ? 0 : 1;
}
