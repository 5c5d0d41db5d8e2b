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

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ravel/inbox.h"

namespace ravel {

enum class delivery { queue, network, unordered };

class selective_wait;

template <class T>
class port {
 public:
  explicit port(const char* name = nullptr, delivery how = delivery::queue) : how_(how), name_(name) {
    if (name != nullptr) label(controlled_, name);
  }
  ~port() {
    if (end_ != nullptr) delete take_out(end_->chosen_message());
    while (controlled_.first != nullptr) delete take_out(std::exchange(controlled_.first, controlled_.first->next));
  }
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  void send(T value) {
    if (detail::controlled()) return put(new message(std::move(value)));
    if (!leave_alone(value)) {
      end_->arrive([&](std::uint64_t ticket) {
        const std::lock_guard lock(mutex_);
        leave(std::move(value), ticket);
      });
    }
    ready_.notify_one();
  }
  // Of an alternative: whether the next choose() may take it.
  void guard(bool open) { as_alternative().guard(open); }

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

  friend class selective_wait;
  // For the receiver, of all that it waits for.
  detail::end& as_alternative() {
    if (how_ != delivery::queue) throw std::invalid_argument("ravel: a port whose messages travel is no alternative");
    if (end_ != nullptr) return *end_;
    const detail::messages own = {this,
                                  [](void* self, std::uint64_t& ticket) {
                                    port& of = *static_cast<port*>(self);
                                    const std::lock_guard lock(of.mutex_);
                                    if (!of.values_.empty()) ticket = of.values_.front().ticket;
                                    return !of.values_.empty();
                                  },
                                  &controlled_};
    auto made = std::make_unique<detail::port_end>(name_.text(), own);
    if (detail::controlled()) {
      end_ = std::move(made);
    } else {
      const std::lock_guard lock(mutex_);
      end_ = std::move(made);
      is_alternative_.store(true, std::memory_order_release);
    }
    return *end_;
  }
  // The mutex is the caller's.
  void leave(T&& value, std::uint64_t ticket) {
    values_.push_back({std::move(value), ticket});
    if (name_.on()) note_send();
  }
  // False: it is an alternative of an inbox, whose lock comes before.
  bool leave_alone(T& value) {
    if (is_alternative_.load(std::memory_order_acquire)) return false;
    const std::lock_guard lock(mutex_);
    if (is_alternative_.load(std::memory_order_relaxed)) return false;
    leave(std::move(value), 0);
    return true;
  }

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
      ravel_message* link = end_ == nullptr ? nullptr : end_->chosen_message();
      if (link == nullptr) link = get(static_cast<int>(patience), detail::count(time));
      message* const got = take_out(link);
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
    std::optional<T> value(std::move(values_.front().value));
    values_.pop_front();
    return value;
  }

  struct left {
    T value;
    std::uint64_t ticket;  // of the inbox, if it is an alternative
  };

  const delivery how_;
  ravel_queue controlled_ = {};
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<left> values_;
  detail::recorded_name name_;
  std::deque<detail::recorded_thread*> senders_;  // while a sequence is recorded
  std::unique_ptr<detail::port_end> end_;         // as soon as it is an alternative of a selective_wait
  std::atomic<bool> is_alternative_{false};       // on real threads
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
