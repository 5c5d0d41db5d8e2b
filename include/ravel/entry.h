// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Entries: calls that another thread accepts and answers, when it is ready to. Either type may be void.
//   ravel::entry<int, void> deposit{"deposit"};   // caller: deposit.call(x); server: int x =
//   deposit.accept_and_reply(); ravel::entry<void, int> withdraw{"withdraw"}; // caller: int x = withdraw.call();
//   server: withdraw.accept(); ...
//                                                 // withdraw.reply(x)
#pragma once

#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "ravel/inbox.h"

namespace ravel {

template <class Argument, class Result>
class entry : public detail::end {
  struct nothing {};
  template <class T>
  using held = std::conditional_t<std::is_void_v<T>, nothing, T>;
  template <class T>
  static constexpr std::size_t values = std::is_void_v<T> ? 0 : 1;

 public:
  explicit entry(const char* name = nullptr) : end(name) {}

  // Waits until the call was accepted and answered.
  template <class... Values>
  Result call(Values&&... values_of_call) {
    static_assert(sizeof...(Values) == values<Argument>, "call() takes what the entry's first type says");
    request self{{}, held<Argument>(std::forward<Values>(values_of_call)...), std::nullopt};
    meet(self);
    if constexpr (!std::is_void_v<Result>) return std::move(*self.result);
  }

  // The caller waits on until reply().
  Argument accept() {
    if (current_ != nullptr) throw std::logic_error("ravel: an entry's last call has had no reply");
    current_ = static_cast<request*>(end::accept(detail::patience::for_ever, {}));
    if constexpr (!std::is_void_v<Argument>) return std::move(current_->argument);
  }
  template <class... Values>
  void reply(Values&&... values_of_reply) {
    static_assert(sizeof...(Values) == values<Result>, "reply() takes what the entry's second type says");
    if (current_ == nullptr) throw std::logic_error("ravel: a reply without a call");
    if constexpr (!std::is_void_v<Result>) current_->result.emplace(std::forward<Values>(values_of_reply)...);
    end::reply_to(*std::exchange(current_, nullptr));
  }
  template <class... Values>
  Argument accept_and_reply(Values&&... values_of_reply) {
    if constexpr (std::is_void_v<Argument>) {
      accept();
      reply(std::forward<Values>(values_of_reply)...);
    } else {
      Argument argument = accept();
      reply(std::forward<Values>(values_of_reply)...);
      return argument;
    }
  }

 private:
  struct request : detail::call {
    held<Argument> argument;
    std::optional<held<Result>> result;
  };
  request* current_ = nullptr;
};

}  // namespace ravel
