// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// epoll_wait on two event descriptors that two threads write to.
//
// outcomes: 3
#include <ravel/ravel.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <thread>

int main() {
  const int events[2] = {eventfd(0, 0), eventfd(0, 0)};
  const int set = epoll_create1(0);
  for (std::uint32_t i = 0; i < 2; ++i) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u32 = 1 + i;
    epoll_ctl(set, EPOLL_CTL_ADD, events[i], &event);
  }
  const auto poke = [&](int i) {
    const std::uint64_t one = 1;
    (void)!write(events[i], &one, sizeof one);
  };
  std::thread a([&] { poke(0); });
  std::thread b([&] { poke(1); });
  epoll_event found[2] = {};
  const int n = epoll_wait(set, found, 2, -1);
  std::uint32_t seen = 0;
  for (int i = 0; i < n; ++i) seen |= found[i].data.u32;
  a.join();
  b.join();
  ravel::observe("seen", seen);
}
