// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who comes second frees the node; when that is the second thread, main still looks at it after both have ended.
//
// expect: kind=use-after-free threads=T0,T2 lines=allocated,freed,used preemptions=0
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct alignas(64) Node {
  int value = 7;
};

std::atomic<int> arrivals{0};
std::atomic<bool> gone{false};

void arrive(Node* node, bool tells) {
  if (arrivals.fetch_add(1) == 0) return;
#ifdef FIXED
  (void)tells;
  gone = true;
#else
  if (tells) gone = true;
#endif
  delete node;  // here: freed
}

}  // namespace

int main() {
  Node* node = new Node;  // here: allocated
  std::thread first(arrive, node, true);
  std::thread second(arrive, node, false);
  first.join();
  second.join();
  if (!gone) assert(node->value == 7);  // here: used
}
