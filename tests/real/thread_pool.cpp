// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// thread_pool::ThreadPool: every task runs once, and its future is fulfilled. BROKEN lets a task use what its caller
// has left already.
//
// expect: clean
// broken: kind=data-race|assertion
#include <cassert>
#include <future>
#include <thread_pool/thread_pool.hpp>
#include <vector>

int main() {
  int results[3] = {};
  {
    thread_pool::ThreadPool pool(2);
    std::vector<std::future<int>> futures;
    for (int i = 0; i < 3; ++i) {
      futures.push_back(pool.Submit([&results, i] {
        results[i] = i + 1;
        return i * i;
      }));
    }
#ifdef BROKEN
    const int early = results[0];
    for (auto& future : futures) future.get();
    assert(early == results[0]);
#else
    int sum = 0;
    for (auto& future : futures) sum += future.get();
    assert(sum == 5);
#endif
  }
  assert(results[0] == 1 && results[1] == 2 && results[2] == 3);
}
