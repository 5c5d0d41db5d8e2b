// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// cpp-httplib: a server with two threads and its client in one program; the handler's counter is locked. BROKEN leaves
// the lock out.
//
// expect: clean
// broken: kind=data-race|assertion
// decisive: named
// libraries: -lcpp-httplib
#include <httplib.h>

#include <cassert>
#include <mutex>
#include <thread>

int main() {
  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(2); };
  std::mutex mutex;
  int asked = 0;
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
#ifndef BROKEN
    const std::lock_guard<std::mutex> guard(mutex);
#endif
    ++asked;
    response.set_content("hello", "text/plain");
  });
  const int port = server.bind_to_any_port("127.0.0.1");
  assert(port > 0);
  std::thread serving([&] { server.listen_after_bind(); });
  auto ask = [port] {
    httplib::Client client("127.0.0.1", port);
    const auto answer = client.Get("/");
    assert(answer && answer->body == "hello");
  };
  std::thread other(ask);
  ask();
  other.join();
  server.stop();
  serving.join();
  assert(asked == 2);
  return 0;
}
