// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// lru_cache: a look-up under a shared lock and the use of what was found under another hold: the entry may have been
// evicted in between.
#include <cassert>
#include <list>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

struct Entry {
  int key;
  int value;
};

class Cache {
 public:
  void put(int key, int value) {
    std::unique_lock hold(lock_);
    entries_.push_front({key, value});
    if (entries_.size() > 1) entries_.pop_back();
  }
  bool has(int key) {
    std::shared_lock hold(lock_);
    return find(key) != nullptr;
  }
  int get(int key) {
    std::shared_lock hold(lock_);
    const Entry* entry = find(key);
    assert(entry != nullptr);
    return entry->value;
  }
  int get_or(int key, int other) {
#ifdef FIXED
    std::shared_lock hold(lock_);
    const Entry* entry = find(key);
    return entry != nullptr ? entry->value : other;
#else
    return has(key) ? get(key) : other;
#endif
  }

 private:
  const Entry* find(int key) const {
    for (const Entry& entry : entries_) {
      if (entry.key == key) return &entry;
    }
    return nullptr;
  }
  std::shared_mutex lock_;
  std::list<Entry> entries_;
};

}  // namespace

int main() {
  Cache cache;
  cache.put(1, 10);
  std::thread other([&] { cache.put(2, 20); });
  cache.get_or(1, 0);
  other.join();
}
