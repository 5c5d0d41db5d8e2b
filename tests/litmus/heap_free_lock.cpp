// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock in a block that another thread frees: the last unlock may come too late, although every access to data is
// ordered.
// options: --points racy
// outcomes: 2
#include <atomic>
#include <mutex>
#include <thread>

struct Job {
  std::mutex lock;
  std::atomic<bool> done{false};
};

int main() {
  auto* const job = new Job;
  std::thread worker([=] {
    const std::lock_guard hold(job->lock);
    job->done.store(true);
  });
  std::thread owner([=] {
    if (job->done.load()) delete job;
  });
  worker.join();
  owner.join();
  return 0;
}
