// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// compare_exchange_weak without a loop: when it fails for nothing, the job belongs to nobody. clang's instrumentation
// does not tell weak from strong, so there the fault cannot be injected.
//
// expect: kind=assertion lines=checked preemptions=0
// options: --faults weak-cas
// injected: compare_exchange_weak failed although the values agree
// compilers: g++
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<int> owner{0};
std::atomic<int> noise{0};

void claim(int who) {
  int nobody = 0;
#ifdef FIXED
  while (!owner.compare_exchange_weak(nobody, who) && nobody == 0) {
  }
#else
  owner.compare_exchange_weak(nobody, who);
#endif
  ++noise;
}

}  // namespace

int main() {
  std::thread first(claim, 1);
  std::thread other([] { ++noise; });
  first.join();
  other.join();
  assert(owner != 0);  // here: checked
}
