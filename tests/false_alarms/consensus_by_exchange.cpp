// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Values handed over by exchange of pointers: each slot is written before it is offered and read by who took it.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {

struct Letter {
  int text;
};

std::atomic<Letter*> slot{nullptr};
std::atomic<int> sum{0};

void take() {
  const std::unique_ptr<Letter> letter(slot.exchange(nullptr, std::memory_order_acquire));
  if (letter != nullptr) sum += letter->text;
}

void offer(int text) {
  const std::unique_ptr<Letter> old(slot.exchange(new Letter{text}, std::memory_order_acq_rel));
  if (old != nullptr) sum += old->text;
}

}  // namespace

int main() {
  std::thread writer(offer, 1);
  std::thread reader(take);
  offer(2);
  writer.join();
  reader.join();
  take();
  assert(sum == 3);
  return 0;
}
