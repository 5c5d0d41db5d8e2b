// -*- C++ -*-
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What <latch> and <barrier> of this folder are made of: phases, each over when so many have arrived. Under Ravel they
// are the runtime's; on real threads a mutex and a condition variable.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <type_traits>

extern "C" {
struct __ravel_phase_words {
  std::uint32_t needed;
  std::uint32_t arrived;
  std::uint32_t phase;
  std::uint32_t dropped;
};
__attribute__((weak)) int ravel_exploring();
__attribute__((weak)) std::uint32_t ravel_phase_arrive(struct ravel_phase* phase, int drops, int* ended);
__attribute__((weak)) int ravel_phase_wait(struct ravel_phase* phase, std::uint32_t which, int looks);
}

namespace std::__ravel {

class phase {
 public:
  explicit phase(unsigned needed) : words_{needed, 0, 0, 0} {
    if (needed == 0) words_.phase = 1;  // there is nobody to wait for
  }

  // The phase that it arrived in.
  unsigned arrive(bool drops = false, bool* last = nullptr) {
    if (controlled()) {
      int ended = 0;
      const unsigned arrived_in = ravel_phase_arrive(object(), drops ? 1 : 0, &ended);
      if (last != nullptr) *last = ended != 0;
      return arrived_in;
    }
    const lock_guard lock(mutex_);
    const unsigned arrived_in = words_.phase;
    words_.dropped += drops ? 1 : 0;
    if (++words_.arrived < words_.needed) return arrived_in;
    words_.needed -= words_.dropped;
    words_.arrived = words_.dropped = 0;
    ++words_.phase;
    if (last != nullptr) *last = true;
    over_.notify_all();
    return arrived_in;
  }
  void wait(unsigned which) {
    if (controlled()) {
      (void)ravel_phase_wait(object(), which, 0);
      return;
    }
    unique_lock lock(mutex_);
    over_.wait(lock, [&] { return words_.phase != which; });
  }
  bool is_over(unsigned which) {
    if (controlled()) return ravel_phase_wait(object(), which, 1) != 0;
    const lock_guard lock(mutex_);
    return words_.phase != which;
  }

 private:
  static bool controlled() { return &ravel_exploring != nullptr && ravel_exploring() != 0; }
  struct ravel_phase* object() {
    return reinterpret_cast<struct ravel_phase*>(&words_);
  }

  __ravel_phase_words words_;
  mutex mutex_;
  condition_variable over_;
};

}  // namespace std::__ravel
