// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// token_ring N: N threads pass a token; who has it works alone. The defect: the token is passed on before the work is
// done.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

std::atomic<int> token{0};
std::atomic<int> inside{0};

void work() {
  assert(++inside == 1);
  --inside;
}

void member(int self, int count) {
  while (token != self) std::this_thread::yield();
#ifdef FIXED
  work();
  token = (self + 1) % count;
#else
  token = (self + 1) % count;
  work();
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back(member, i, count);
  for (std::thread& one : all) one.join();
}
