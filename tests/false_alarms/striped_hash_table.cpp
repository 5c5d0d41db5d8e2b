// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A hash table with a lock for each stripe and a resize that takes all of them in order.
//
// expect: clean
#include <array>
#include <cassert>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

class Table {
 public:
  void put(int key, int value) {
    {
      const std::lock_guard<std::mutex> guard(stripes_[key % 2]);
      buckets_[key % buckets_.size()].emplace_back(key, value);
    }
    if (key == 3) grow();
  }
  std::optional<int> get(int key) {
    const std::lock_guard<std::mutex> guard(stripes_[key % 2]);
    for (const auto& [candidate, value] : buckets_[key % buckets_.size()]) {
      if (candidate == key) return value;
    }
    return {};
  }

 private:
  void grow() {
    const std::scoped_lock all(stripes_[0], stripes_[1]);
    std::vector<std::vector<std::pair<int, int>>> larger(buckets_.size() * 2);
    for (const auto& bucket : buckets_) {
      for (const auto& entry : bucket) larger[entry.first % larger.size()].push_back(entry);
    }
    buckets_.swap(larger);
  }
  std::array<std::mutex, 2> stripes_;
  std::vector<std::vector<std::pair<int, int>>> buckets_{2};
};

}  // namespace

int main() {
  Table table;
  std::thread first([&] {
    table.put(1, 10);
    table.put(3, 30);
  });
  std::thread second([&] { table.put(2, 20); });
  if (const auto seen = table.get(1)) assert(*seen == 10);
  first.join();
  second.join();
  assert(*table.get(2) == 20 && *table.get(3) == 30);
  return 0;
}
