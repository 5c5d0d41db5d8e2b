// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What OpenMP orders: each construct publishes plain memory to other threads. With -DRACE one loop forgets its critical
// section.
#include <omp.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int kCount = 64;

int in_loops() {
  std::vector<int> squares(kCount);
  int sum = 0;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kCount; ++i) squares[i] = i * i;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < kCount; ++i) squares[i] += squares[i] / 2;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < kCount; ++i) squares[kCount - 1 - i] += 1;  // another thread's
#ifndef RACE
#pragma omp critical
#endif
    sum += squares[0];  // here: sum
  }
  return sum > 0 ? squares[7] : 0;
}

int in_order() {
  int last = 0;
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < kCount; ++i) {
#pragma omp ordered
    last = last * 3 % 101 + i;
  }
  return last;
}

int by_copies() {
  int given = 0;
  int seen = 0;
#pragma omp parallel firstprivate(given)
  {
#pragma omp single copyprivate(given)
    given = 7;
#pragma omp atomic
    seen += given;
  }
  return seen > 0 ? 7 : 0;
}

int fibonacci(int n) {
  if (n < 2) return n;
  int a = 0;
  int b = 0;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int by_tasks() {
  int result = 0;
  int chained = 1;
#pragma omp parallel
#pragma omp single
  {
    result = fibonacci(10);
    for (int i = 0; i < 5; ++i) {
#pragma omp task depend(inout : chained) shared(chained)
      chained *= 2;
    }
  }
  return result + chained;
}

int by_locks() {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int count = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_lock(&lock);
      ++count;
      omp_unset_lock(&lock);
    }
#pragma omp section
    {
      omp_set_lock(&lock);
      ++count;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  return count;
}

}  // namespace

int main() {
  omp_set_num_threads(4);
  std::printf("%d %d %d %d %d\n", in_loops(), in_order(), by_copies(), by_tasks(), by_locks());
  return 0;
}
