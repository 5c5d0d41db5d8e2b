// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// std::atomic<std::shared_ptr> and std::atomic<std::weak_ptr>: exchanged, compared and watched by several threads.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {

struct Settings {
  int low;
  int high;
};

std::atomic<std::shared_ptr<Settings>> current{std::make_shared<Settings>(Settings{0, 0})};
std::atomic<std::weak_ptr<Settings>> watched;

void look() {
  const std::shared_ptr<Settings> seen = current.load();
  assert(seen->low == seen->high);
  if (const std::shared_ptr<Settings> kept = watched.load().lock()) assert(kept->low == kept->high);
}

}  // namespace

int main() {
  watched.store(current.load());
  std::thread writer([] { current.store(std::make_shared<Settings>(Settings{1, 1})); });
  std::thread swapper([] {
    const std::shared_ptr<Settings> old = current.exchange(std::make_shared<Settings>(Settings{2, 2}));
    assert(old->low == old->high);
  });
  look();
  look();
  writer.join();
  swapper.join();
  return 0;
}
