// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Workers take from a queue, which is correct, and add to a total, which loses an update: the explanation is about the
// total.
//
// expect: kind=assertion threads=T1,T2 lines=load,store,check preemptions=1
// decisive: load,store
// operations: create,start,end,join,lock,unlock
#include <atomic>
#include <cassert>
#include <mutex>
#include <queue>
#include <thread>

namespace {

class Queue {
 public:
  void push(int item) {
    std::lock_guard hold(lock_);
    items_.push(item);
  }
  int pop() {
    std::lock_guard hold(lock_);
    const int item = items_.front();
    items_.pop();
    return item;
  }

 private:
  std::mutex lock_;
  std::queue<int> items_;
};

Queue queue;
std::atomic<int> total{0};

void work() {
  const int item = queue.pop();
#ifdef FIXED
  total.fetch_add(item);
#else
  const int before = total.load();  // here: load
  total.store(before + item);       // here: store
#endif
}

}  // namespace

int main() {
  for (int i = 1; i <= 2; ++i) queue.push(i);
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(total.load() == 3);  // here: check
}
