// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// circular_buffer N: a ring whose places are not synchronised at all between the thread that sends N items and the one
// that receives them: room is announced before the place was written.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

constexpr int kPlaces = 4;
std::atomic<int> ring[kPlaces];
std::atomic<int> written{0};
std::atomic<int> taken{0};

bool send(int value) {
  const int at = written;
  if (at - taken == kPlaces) return false;
#ifdef FIXED
  ring[at % kPlaces] = value;
  written = at + 1;
#else
  written = at + 1;
  ring[at % kPlaces] = value;
#endif
  return true;
}

int receive() {
  const int at = taken;
  if (at == written) return 0;
  const int value = ring[at % kPlaces];
  taken = at + 1;
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const int items = argc > 1 ? std::atoi(argv[1]) : 3;
  std::thread sender([&] {
    for (int i = 1; i <= items; ++i) send(i);
  });
  std::thread receiver([&] {
    int expected = 1;
    for (int i = 0; i < items; ++i) {
      const int before = taken;
      const int value = receive();
      if (taken == before) continue;
      assert(value == expected++);
    }
  });
  sender.join();
  receiver.join();
}
