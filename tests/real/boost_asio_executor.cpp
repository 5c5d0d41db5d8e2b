// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Boost.Asio's strand over a thread pool. BROKEN shares a counter past the strand.
//
// expect: clean
// when: long
// broken: kind=data-race|assertion
// decisive: named
#include <boost/asio.hpp>
#include <cassert>

int main() {
  boost::asio::thread_pool pool(2);
  auto strand = boost::asio::make_strand(pool);
  int count = 0;
  for (int i = 0; i < 3; ++i) {
#ifdef BROKEN
    boost::asio::post(pool, [&] { ++count; });
#else
    boost::asio::post(strand, [&] { ++count; });
#endif
  }
  pool.join();
  assert(count == 3);
  return 0;
}
