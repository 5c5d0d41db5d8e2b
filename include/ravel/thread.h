// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ravel::thread: a std::thread that knows its lineage (main.2: the second that main has started), so that sequences
// which are recorded without Ravel name it as Ravel does (ravel/record.h). Under Ravel it is a std::thread.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "ravel/record.h"

namespace ravel {

class thread : public std::thread {
 public:
  thread() noexcept = default;
  template <class Body, class... Values>
  requires(!std::is_same_v<std::remove_cvref_t<Body>, thread>) explicit thread(Body&& body, Values&&... values)
      : std::thread(
            [self = next_child()](auto&& run, auto&&... with) {
              detail::recorded_self = self;
              if (self != nullptr) self->id = syscall(SYS_gettid);
              std::invoke(std::forward<decltype(run)>(run), std::forward<decltype(with)>(with)...);
            },
            std::forward<Body>(body), std::forward<Values>(values)...) {}

 private:
  // nullptr: nobody asks, or Ravel knows the thread.
  static detail::recorded_thread* next_child() {
    if (!detail::is_recording()) return nullptr;
    detail::recorded_thread& parent = detail::this_thread();
    const std::uint32_t number = ++parent.children;
    if (parent.lineage.empty()) return &detail::recorder::get().add_thread("");
    return &detail::recorder::get().add_thread(parent.lineage + "." + std::to_string(number));
  }
};

}  // namespace ravel
