// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Double-checked publication: the fast path reads a plain pointer that another thread writes under the lock.
//
// expect: kind=data-race threads=T1,T2 lines=fast,publish preemptions=0
// operations: lock,unlock,load,store
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

namespace {

struct Registry {
  std::string name = "default";
  int entries = 3;
};

std::mutex registry_mutex;
#ifdef FIXED
std::atomic<Registry*> published{nullptr};
Registry* peek() {
  return published.load(std::memory_order_acquire);
}
void publish(Registry* registry) {
  published.store(registry, std::memory_order_release);
}
#else
Registry* published = nullptr;
Registry* peek() {
  return published;  // here: fast
}
void publish(Registry* registry) {
  published = registry;  // here: publish
}
#endif

Registry& registry() {
  if (Registry* present = peek()) {
    return *present;
  }
  std::lock_guard<std::mutex> guard(registry_mutex);
  if (peek() == nullptr) {
    publish(new Registry);
  }
  return *peek();
}

}  // namespace

int main() {
  int seen[2] = {0, 0};
  std::thread first([&seen] { seen[0] = registry().entries; });
  std::thread second([&seen] { seen[1] = registry().entries; });
  first.join();
  second.join();
  delete peek();
  return seen[0] == 3 && seen[1] == 3 ? 0 : 1;
}
