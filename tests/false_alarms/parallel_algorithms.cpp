// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Algorithms of the standard library with a parallel policy: libstdc++ runs them by TBB, a library that is not
// instrumented.
//
// expect: clean
// libraries: -ltbb
// executions: 1000
#include <algorithm>
#include <cassert>
#include <execution>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 0);
  std::for_each(std::execution::par, values.begin(), values.end(), [](int& value) { value *= 2; });
  const int sum = std::reduce(std::execution::par, values.begin(), values.end());
  assert(sum == 64 * 63);
  std::sort(std::execution::par, values.begin(), values.end(), [](int a, int b) { return a > b; });
  assert(values.front() == 126 && values.back() == 0);
  return 0;
}
