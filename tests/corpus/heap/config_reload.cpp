// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A reader takes the pointer under the lock and uses it after: the reload in between deletes what it points to.
//
// expect: kind=use-after-free threads=T1,T2 lines=allocated,freed,used preemptions=1 also=data-race|assertion
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Config {
  int limit;
  int copy_of_limit;
};

std::mutex guard;
#ifdef FIXED
std::shared_ptr<Config> current;
#else
Config* current = nullptr;
#endif

void look() {
  guard.lock();
  const auto config = current;
  guard.unlock();
  const int limit = config->limit;  // here: used
  assert(limit == config->copy_of_limit);
}

void reload() {
  const std::lock_guard<std::mutex> lock(guard);
#ifdef FIXED
  current = std::make_shared<Config>(Config{2, 2});
#else
  const Config* old = current;
  current = new Config{2, 2};
  delete old;                  // here: freed
#endif
}

}  // namespace

int main() {
#ifdef FIXED
  current = std::make_shared<Config>(Config{1, 1});
#else
  current = new Config{1, 1};  // here: allocated
#endif
  std::thread reader(look);
  std::thread writer(reload);
  reader.join();
  writer.join();
#ifndef FIXED
  delete current;
#endif
}
