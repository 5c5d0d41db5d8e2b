// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// libcds: Michael and Scott's queue and Treiber's stack with hazard pointers. The library is not instrumented, its
// templates are. BROKEN shares what it counts with.
//
// expect: clean
// when: long
// broken: kind=assertion also=data-race
// decisive: named
// libraries: -lcds
#include <cds/container/msqueue.h>
#include <cds/container/treiber_stack.h>
#include <cds/gc/hp.h>
#include <cds/init.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

using Queue = cds::container::MSQueue<cds::gc::HP, int>;
using Stack = cds::container::TreiberStack<cds::gc::HP, int>;

#ifdef BROKEN
int sum = 0;
#else
std::atomic<int> sum{0};
#endif

void move(Queue& queue, Stack& stack, int value) {
  cds::threading::Manager::attachThread();
  queue.enqueue(value);
  stack.push(10 * value);
  int taken = 0;
  if (queue.dequeue(taken)) sum += taken;
  if (stack.pop(taken)) sum += taken;
  cds::threading::Manager::detachThread();
}

}  // namespace

int main() {
  cds::Initialize();
  {
    cds::gc::HP hazard_pointers(8);
    cds::threading::Manager::attachThread();
    {
      Queue queue;
      Stack stack;
      std::thread first([&] { move(queue, stack, 1); });
      std::thread second([&] { move(queue, stack, 2); });
      first.join();
      second.join();
      assert(sum == 33);
    }
    cds::threading::Manager::detachThread();
  }
  cds::Terminate();
  return 0;
}
