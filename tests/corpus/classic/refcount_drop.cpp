// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// refcount_drop N: N users of one object, each gives its reference up; the count is lowered and looked at in two steps.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

std::atomic<int> references{0};
std::atomic<int> destroyed{0};

void drop() {
#ifdef FIXED
  if (references.fetch_sub(1) == 1) ++destroyed;
#else
  --references;
  if (references == 0) ++destroyed;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int users = argc > 1 ? std::atoi(argv[1]) : 2;
  references = users;
  std::vector<std::thread> all;
  for (int i = 0; i < users; ++i) all.emplace_back(drop);
  for (std::thread& one : all) one.join();
  assert(destroyed == 1);
}
