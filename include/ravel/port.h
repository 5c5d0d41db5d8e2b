// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ports: messages to one receiver.
//   port<T>          send() never waits; messages are received in the order in which they were sent
//   sync_port<T>     send() waits until the receiver has the message (ravel/entry.h: with an answer)
//   mailbox<T>, sync_mailbox<T>  the same for several receivers, who take turns
// Under Ravel each send of a port is one event of it, each rendezvous of a sync_port one of its inbox; on real threads
// they are a mutex and what waits behind it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "ravel/inbox.h"

namespace ravel {

template <class T>
class port {
 public:
  explicit port(const char* name = nullptr) {
    if (name != nullptr) label(controlled_, name);
  }
  ~port() {
    while (controlled_.first != nullptr) delete take_out(std::exchange(controlled_.first, controlled_.first->next));
  }
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  void send(T value) {
    if (detail::controlled()) return ravel_send(&controlled_, new message(std::move(value)));
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    ready_.notify_one();
  }

  [[nodiscard]] T receive() { return *take(detail::patience::for_ever, {}); }
  [[nodiscard]] std::optional<T> try_receive() { return take(detail::patience::none, {}); }
  template <class Rep, class Period>
  [[nodiscard]] std::optional<T> receive_for(const std::chrono::duration<Rep, Period>& time) {
    return take(detail::patience::until, std::chrono::duration_cast<std::chrono::nanoseconds>(time));
  }

 private:
  struct message : ravel_message {
    explicit message(T&& from) : ravel_message{nullptr}, value(std::move(from)) {}
    T value;
  };
  static message* take_out(ravel_message* link) { return static_cast<message*>(link); }

  std::optional<T> take(detail::patience patience, std::chrono::nanoseconds time) {
    if (detail::controlled()) {
      message* const got = take_out(ravel_receive(&controlled_, static_cast<int>(patience), detail::count(time)));
      if (got == nullptr) return std::nullopt;
      std::optional<T> value(std::move(got->value));
      delete got;
      return value;
    }
    std::unique_lock lock(mutex_);
    const auto there = [this] { return !values_.empty(); };
    if (patience == detail::patience::for_ever) ready_.wait(lock, there);
    if (patience == detail::patience::until) (void)ready_.wait_for(lock, time, there);
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    return value;
  }

  ravel_queue controlled_ = {};
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> values_;
};

template <class T>
class sync_port : public detail::end {
 public:
  explicit sync_port(const char* name = nullptr) : end(name) {}

  void send(T value) {
    request self(std::move(value));
    meet(self);
  }
  [[nodiscard]] T receive() { return *finish(accept(detail::patience::for_ever, {})); }
  [[nodiscard]] std::optional<T> try_receive() { return finish(accept(detail::patience::none, {})); }
  template <class Rep, class Period>
  [[nodiscard]] std::optional<T> receive_for(const std::chrono::duration<Rep, Period>& time) {
    return finish(accept(detail::patience::until, std::chrono::duration_cast<std::chrono::nanoseconds>(time)));
  }

 private:
  struct request : detail::call {
    explicit request(T&& from) : value(std::move(from)) {}
    T value;
  };
  std::optional<T> finish(detail::call* from) {
    if (from == nullptr) return std::nullopt;
    std::optional<T> value(std::move(static_cast<request*>(from)->value));
    detail::end::reply_to(*from);
    return value;
  }
};

namespace detail {
// Receivers take turns at a port: whoever waits for a message keeps the others waiting.
template <class Port>
class shared : private Port {
 public:
  explicit shared(const char* name = nullptr) : Port(name) {}
  using Port::send;
  [[nodiscard]] auto receive() {
    const std::lock_guard turn(turn_);
    return Port::receive();
  }

 private:
  std::mutex turn_;
};
}  // namespace detail

template <class T>
using mailbox = detail::shared<port<T>>;
template <class T>
using sync_mailbox = detail::shared<sync_port<T>>;

}  // namespace ravel
