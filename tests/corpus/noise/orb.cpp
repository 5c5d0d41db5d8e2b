// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// orb CLIENTS REQUESTS: a broker hands each request a place in its table of replies; one lock_guard is missing
// (NO_GUARD is what the defect is about).
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Broker {
 public:
  explicit Broker(int most) : replies_(static_cast<std::size_t>(most)) {}

  int echo(int value) {
    const std::size_t at = place();
    const std::lock_guard hold(table_);
    replies_[at] = value;
    return replies_[at];
  }
  int requests() const { return static_cast<int>(next_); }

 private:
  std::size_t place() {
#ifdef FIXED
    const std::lock_guard hold(next_lock_);
#endif
    const std::size_t mine = next_;  // here: first
    next_ = mine + 1;                // here: second
    return mine;
  }
  std::mutex table_;
  std::mutex next_lock_;
  std::vector<int> replies_;
  std::size_t next_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int clients = argc > 1 ? std::atoi(argv[1]) : 2;
  const int requests = argc > 2 ? std::atoi(argv[2]) : 1;
  Broker broker(clients * requests);
  std::vector<std::thread> all;
  for (int i = 0; i < clients; ++i) {
    all.emplace_back([&broker, i, requests] {
      for (int k = 0; k < requests; ++k) (void)broker.echo(i);
    });
  }
  for (std::thread& one : all) one.join();
  assert(broker.requests() == clients * requests);
}
