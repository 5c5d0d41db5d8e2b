// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ftpserver CLIENTS: a thread for each connection; the list of connections and the number of users have no lock, and a
// timer shuts the server down while connections are active.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

#ifdef FIXED
#define SYNCHRONISED const std::lock_guard hold(lock)
std::mutex lock;
#else
#define SYNCHRONISED (void)0
#endif

int users = 0;
int active = 0;
bool stopped = false;

bool log_in() {
  SYNCHRONISED;
  if (stopped) return false;
  const int before = users;  // here: first
  users = before + 1;        // here: second
  ++active;
  return true;
}

void log_out() {
  SYNCHRONISED;
  --active;
}

void shut_down() {
  SYNCHRONISED;
  stopped = true;
}

}  // namespace

int main(int argc, char** argv) {
  const int clients = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<int> served(static_cast<std::size_t>(clients));
  std::vector<std::thread> all;
  for (int i = 0; i < clients; ++i) {
    all.emplace_back([&served, i] {
      if (!log_in()) return;
      served[static_cast<std::size_t>(i)] = 1;
      log_out();
    });
  }
  std::thread timer(shut_down);
  for (std::thread& one : all) one.join();
  timer.join();
  int sum = 0;
  for (const int one : served) sum += one;
  assert(users == sum && active == 0);
}
