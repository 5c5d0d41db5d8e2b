// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An order that training without preemptions never shows: the reader comes between the two steps of the writer.
//
// expect: kind=order-violation threads=T1,T2 lines=step,read message=never.did.in.training
// options: --strategy bounded,preemptions=1 --iterations 60 --train 8 --detect pset
#include <mutex>
#include <thread>

int state = 0;
int seen = 0;
std::mutex mutex;

int main() {
  std::thread writer([] {
    mutex.lock();
    state = 1;  // here: step
#ifndef FIXED
    mutex.unlock();
    mutex.lock();
#endif
    state = 2;
    mutex.unlock();
  });
  std::thread reader([] {
    mutex.lock();
    seen = state;  // here: read
    mutex.unlock();
  });
  writer.join();
  reader.join();
  return 0;
}
