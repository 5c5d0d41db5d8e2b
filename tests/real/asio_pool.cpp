// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Asio's thread pool and a pair of connected sockets: what is written is read, and both handlers are counted. BROKEN
// reads the result before the pool has joined.
//
// expect: clean
// when: long
// broken: kind=data-race|assertion
// libraries: -DASIO_STANDALONE
#include <array>
#include <asio.hpp>
#include <atomic>
#include <cassert>
#include <string>

int main() {
  asio::thread_pool pool(2);
  asio::local::stream_protocol::socket left(pool);
  asio::local::stream_protocol::socket right(pool);
  asio::local::connect_pair(left, right);
  std::array<char, 4> received{};
  bool done = false;
  std::atomic<int> handled{0};
  asio::async_read(right, asio::buffer(received), [&](const std::error_code& error, std::size_t size) {
    assert(!error && size == 4);
    done = true;
    handled.fetch_add(1);
  });
  asio::async_write(left, asio::buffer("ping", 4), [&](const std::error_code& error, std::size_t) {
    assert(!error);
    handled.fetch_add(1);
  });
#ifdef BROKEN
  const bool early = done;
  pool.join();
  assert(early == done);
#else
  pool.join();
  assert(handled.load() == 2);
  assert(done && std::string(received.data(), 4) == "ping");
#endif
  return 0;
}
