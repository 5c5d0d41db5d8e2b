// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// double_checked: the pointer is published before the object it points to is ready.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  std::atomic<int> level{0};
};
Settings storage;
std::atomic<Settings*> settings{nullptr};
std::mutex lock;

Settings& get() {
  if (Settings* known = settings) return *known;
  std::lock_guard hold(lock);
  if (settings == nullptr) {
#ifdef FIXED
    storage.level = 3;
    settings = &storage;
#else
    settings = &storage;
    storage.level = 3;
#endif
  }
  return *settings;
}

}  // namespace

int main() {
  std::thread first([] { assert(get().level == 3); });
  std::thread second([] { assert(get().level == 3); });
  first.join();
  second.join();
}
