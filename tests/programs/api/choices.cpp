// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Data choices are decisions: an exhaustive strategy takes each combination exactly once. 3 * 4 alternatives, and 2
// more when the first is 0: 4 * 2 + 8 = 16 executions.
#include <ravel/ravel.h>

#include <cstdio>

int main() {
  const ravel::Result result = ravel::explore(
      [] {
        const unsigned first = ravel::choose(3);
        const unsigned second = ravel::choose(4);
        const unsigned third = first == 0 ? ravel::choose(2) : 0;
        ravel::observe("word", first * 100 + second * 10 + third);
        ravel::check(ravel::choose(1) == 0, "one alternative is no choice");
      },
      {.strategy = "dfs"});
  std::printf("%llu executions, complete %d\n", static_cast<unsigned long long>(result.executions), result.complete);
}
