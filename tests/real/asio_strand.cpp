// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Asio: handlers of a strand never run at the same time, on two threads of an io_context; a timer ends the work. BROKEN
// posts past the strand.
//
// expect: clean
// when: long
// broken: kind=data-race|assertion
// decisive: named
// libraries: -DASIO_STANDALONE
#include <asio.hpp>
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  asio::io_context context;
  auto strand = asio::make_strand(context);
  int count = 0;
  for (int i = 0; i < 3; ++i) {
#ifdef BROKEN
    asio::post(context, [&] { ++count; });
#else
    asio::post(strand, [&] { ++count; });
#endif
  }
  bool late = false;
  asio::steady_timer timer(context, std::chrono::milliseconds(5));
  timer.async_wait([&](const std::error_code&) { late = true; });
  std::thread other([&] { context.run(); });
  context.run();
  other.join();
  assert(count == 3 && late);
  return 0;
}
