// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Load: threads of the tool that use up processor time beside a free run, for as long as they exist. More that runs
// than there are processors makes interactions less predictable.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace ravel {

class BusyThreads {
 public:
  // On the first `cpus` processors, as the run itself; 0: on all.
  BusyThreads(std::uint32_t count, std::uint32_t cpus);
  ~BusyThreads();
  BusyThreads(const BusyThreads&) = delete;
  BusyThreads& operator=(const BusyThreads&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

// The calling thread, and what it starts, uses the first ones of those that it may use.
void use_processors(std::uint32_t count);

}  // namespace ravel
