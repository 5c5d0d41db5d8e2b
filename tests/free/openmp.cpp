// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A loop of libgomp, whose threads controlled mode cannot take.
#include <cstdio>

int main() {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 20000; ++i) sum += i;
  std::printf("%ld\n", sum);
  return sum == 199990000 ? 0 : 1;
}
