// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ports: messages to one receiver.
//   port<T>          send() never waits; messages are received in the order in which they were sent
//   port<T> p{"p", delivery::network}    messages travel: those of one sender arrive in order, others when they like
//   port<T> p{"p", delivery::unordered}  any message may arrive before any other
//   sync_port<T>     send() waits until the receiver has the message (ravel/entry.h: with an answer)
//   mailbox<T>, sync_mailbox<T>  the same for several receivers, who take turns
// Under Ravel each send of a port is one event of it, each rendezvous of a sync_port one of its inbox; of messages that
// travel it is their arrival. On real threads a port is a mutex and what waits behind it: messages arrive in the order
// of sending, which every kind of delivery allows.
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

enum class delivery { queue, network, unordered };

template <class T>
class port {
 public:
  explicit port(const char* name = nullptr, delivery how = delivery::queue) : how_(how), name_(name) {
    if (name != nullptr) label(controlled_, name);
  }
  ~port() {
    while (controlled_.first != nullptr) delete take_out(std::exchange(controlled_.first, controlled_.first->next));
  }
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  void send(T value) {
    if (detail::controlled()) return put(new message(std::move(value)));
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
      if (name_.on()) note_send();
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
    explicit message(T&& from) : ravel_message{nullptr, 0}, value(std::move(from)) {}
    T value;
  };
  static message* take_out(ravel_message* link) { return static_cast<message*>(link); }

  void put(message* sent) {
    if (how_ == delivery::queue) return ravel_send(&controlled_, sent);
    ravel_cast(&controlled_, sent, how_ == delivery::network ? 1 : 0);
  }
  ravel_message* get(int mode, std::uint64_t time) {
    if (how_ == delivery::queue) return ravel_receive(&controlled_, mode, time);
    return ravel_deliver(&controlled_, how_ == delivery::network ? 1 : 0, mode, time);
  }

  // A sequence that is recorded: of a queue the sends are events; of messages that travel it is their arrival, here in
  // the order of sending.
  void note_send() {
    if (how_ == delivery::queue) return detail::note(name_.row(), detail::this_thread(), "send");
    senders_.push_back(&detail::this_thread().next_message());
  }
  void note_receipt(bool looks, bool got) {
    if (!name_.on()) return;
    (void)detail::this_thread();  // it takes part
    if (how_ == delivery::queue && looks) {
      return detail::note(name_.row(), detail::this_thread(), "try-receive", got ? " ok" : " failed");
    }
    if (how_ == delivery::queue || !got) return;
    if (!senders_.empty()) detail::note(name_.row(), *senders_.front(), "deliver");
    if (!senders_.empty()) senders_.pop_front();
  }

  std::optional<T> take(detail::patience patience, std::chrono::nanoseconds time) {
    if (detail::controlled()) {
      message* const got = take_out(get(static_cast<int>(patience), detail::count(time)));
      if (got == nullptr) return std::nullopt;
      std::optional<T> value(std::move(got->value));
      delete got;
      return value;
    }
    std::unique_lock lock(mutex_);
    const auto there = [this] { return !values_.empty(); };
    if (patience == detail::patience::for_ever) ready_.wait(lock, there);
    if (patience == detail::patience::until && !ready_.wait_for(lock, time, there) && name_.on()) {
      detail::recorder::get().timed_out.store(true);
    }
    note_receipt(patience == detail::patience::none, !values_.empty());
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    return value;
  }

  const delivery how_;
  ravel_queue controlled_ = {};
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> values_;
  detail::recorded_name name_;
  std::deque<detail::recorded_thread*> senders_;  // while a sequence is recorded
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
