// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What rendezvous are made of (ravel/port.h, ravel/entry.h, ravel/select.h). An end is one sync_port or entry; the ends
// that one receiver waits for together share an inbox. On real threads the inbox is a mutex, callers wait in a queue at
// their end, and the receiver takes the one that came first. Under Ravel a caller waits until the receiver is open to
// its end: the runtime has the inbox, and nothing else here is touched. A port that is an alternative has an end, too,
// which nobody calls: its messages count as calls that nobody waits behind.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ravel/semaphore.h"

namespace ravel {
class selective_wait;
}

namespace ravel::detail {

enum class patience { for_ever, none, until };  // as the runtime counts them
inline std::uint64_t count(std::chrono::nanoseconds time) {
  return time.count() > 0 ? static_cast<std::uint64_t>(time.count()) : 0;
}

class end;

// On the stack of a caller.
struct call {
  end* to = nullptr;
  std::uint64_t replied = 0;  // under Ravel
  raw_semaphore* done = nullptr;
  std::uint64_t ticket = 0;
  recorded_thread* caller = nullptr;  // while a sequence is recorded
};

// What a receiver gets: a call, or a message of the port whose end it is; no end: nothing came.
struct arrival {
  end* at = nullptr;
  call* from = nullptr;
};

// The messages of a port, as its end sees them.
struct messages {
  void* port = nullptr;
  bool (*first)(void* port, std::uint64_t& ticket) = nullptr;  // false: there is none
  ravel_queue* queue = nullptr;
};

struct inbox {
  ravel_inbox controlled = {};
  std::mutex mutex;
  std::vector<end*> ends;
  std::uint64_t tickets = 0;
  std::uint64_t open = 0;  // while the receiver waits
  bool waiting = false;
  raw_semaphore wake{0};
  recorded_name name;

  explicit inbox(const char* text) : name(text) {}
};

class end {
 public:
  end(const end&) = delete;
  end& operator=(const end&) = delete;

  // Whether the next choose() may take this alternative.
  void guard(bool open) { open_ = open; }

 protected:
  explicit end(const char* name, const messages& of_port = {})
      : name_(name == nullptr ? "" : name), messages_(of_port) {
    const std::string of_inbox = name_.empty() ? "" : name_ + ".inbox";
    auto own = std::make_shared<inbox>(of_inbox.c_str());
    own->ends.push_back(this);
    controlled_ = {&own->controlled, 0};
    if (!name_.empty()) {
      if (messages_.port == nullptr) label(controlled_, name_.c_str());
      label(own->controlled, of_inbox.c_str());
    }
    current_.store(own.get(), std::memory_order_relaxed);
    kept_.push_back(std::move(own));
  }
  ~end() {
    if (chosen_ != nullptr) reply_to(*chosen_);
  }

  // Returns when the receiver has replied.
  void meet(call& self) {
    self.to = this;
    if (controlled()) {
      ravel_call(&controlled_, &self);
      return ravel_return(&self.replied);
    }
    raw_semaphore done(0);
    self.done = &done;
    if (is_recording()) self.caller = &this_thread();
    {
      inbox* in = nullptr;
      const std::unique_lock lock = lock_inbox(in);
      self.ticket = in->tickets++;
      calls_.push_back(&self);
      wake_receiver(*in);
    }
    done.wait();
  }

  // nullptr: nobody called in time.
  call* accept(patience how_long, std::chrono::nanoseconds time) {
    if (chosen_ != nullptr) return std::exchange(chosen_, nullptr);
    return take(*kept_.back(), std::uint64_t{1} << controlled_.bit, how_long, time).from;
  }
  // Of a port, on real threads: put(ticket) leaves the message there.
  template <class Put>
  void arrive(Put put) {
    inbox* in = nullptr;
    const std::unique_lock lock = lock_inbox(in);
    put(in->tickets++);
    wake_receiver(*in);
  }
  // Of a port, under Ravel: the message that choose() has taken.
  ravel_message* chosen_message() { return std::exchange(message_, nullptr); }
  // The caller goes on, and its call is gone.
  static void reply_to(call& from) {
    if (from.done != nullptr) return from.done->post();
    ravel_reply(&from.replied);
  }

 private:
  friend class ::ravel::selective_wait;

  std::unique_lock<std::mutex> lock_inbox(inbox*& in) {
    for (;;) {
      in = current_.load(std::memory_order_acquire);
      std::unique_lock lock(in->mutex);
      if (in == current_.load(std::memory_order_acquire)) return lock;
    }
  }

  void wake_receiver(inbox& in) {
    if (!in.waiting || (in.open >> controlled_.bit & 1) == 0) return;
    in.waiting = false;
    in.wake.post();
  }

  // Of the ends with these bits, what came first.
  static arrival take(inbox& in, std::uint64_t bits, patience how_long, std::chrono::nanoseconds time) {
    if (controlled()) return take_controlled(in, bits, how_long, time);
    std::unique_lock lock(in.mutex);
    for (;;) {
      const arrival first = first_in_line(in, bits);
      const bool nothing = first.at == nullptr;
      if (!nothing) note_meeting(in, first);
      if (how_long == patience::none && in.name.on()) {
        note(in.name.row(), this_thread(), "else", nothing ? " failed" : "");
      }
      if (!nothing || how_long == patience::none) return first;
      in.open = bits;
      in.waiting = true;
      lock.unlock();
      const bool woken = how_long == patience::for_ever ? (in.wake.wait(), true) : in.wake.wait_for(time);
      lock.lock();
      if (!woken && in.waiting) {
        in.waiting = false;
        if (in.name.on()) recorder::get().timed_out.store(true);
        return {};
      }
      if (!woken) in.wake.wait();  // the post is on its way
    }
  }
  static arrival take_controlled(inbox& in, std::uint64_t bits, patience how_long, std::chrono::nanoseconds time) {
    ravel_inbox_open(&in.controlled, bits);
    ravel_queue* queue = nullptr;
    void* const got = in.controlled.queues == nullptr
                          ? ravel_inbox_accept(&in.controlled, static_cast<int>(how_long), count(time))
                          : ravel_select(&in.controlled, static_cast<int>(how_long), count(time), &queue);
    if (got == nullptr) return {};
    if (queue == nullptr) return {static_cast<call*>(got)->to, static_cast<call*>(got)};
    std::size_t at = 0;
    while (in.ends[at]->messages_.queue != queue) ++at;
    in.ends[at]->message_ = static_cast<ravel_message*>(got);
    return {in.ends[at], nullptr};
  }
  // The event is that of the caller, who waits meanwhile, or of the port.
  static void note_meeting(inbox& in, const arrival& first) {
    if (in.name.on()) (void)this_thread();  // it takes part
    if (!in.name.on() || first.at->name_.empty()) return;
    const char* const name = recorder::get().label(first.at->name_.c_str()).name.c_str();
    if (first.from == nullptr) {
      if (first.at->recorded_ == nullptr) first.at->recorded_ = &recorder::get().add_thread(first.at->name_);
      return note(in.name.row(), *first.at->recorded_, "select", "", name);
    }
    if (first.from->caller != nullptr) note(in.name.row(), *first.from->caller, "rendezvous", "", name);
  }
  static arrival first_in_line(inbox& in, std::uint64_t bits) {
    end* from = nullptr;
    std::uint64_t earliest = 0;
    for (end* const one : in.ends) {
      std::uint64_t ticket = 0;
      if ((bits >> one->controlled_.bit & 1) == 0 || !one->has_arrival(ticket)) continue;
      if (from != nullptr && ticket >= earliest) continue;
      from = one;
      earliest = ticket;
    }
    if (from == nullptr || from->messages_.port != nullptr) return {from, nullptr};
    call* const first = from->calls_.front();
    from->calls_.pop_front();
    return {from, first};
  }
  bool has_arrival(std::uint64_t& ticket) const {
    if (messages_.port != nullptr) return messages_.first(messages_.port, ticket);
    if (calls_.empty()) return false;
    ticket = calls_.front()->ticket;
    return true;
  }

  // Of a port: from now on it is an alternative. For the receiver.
  void enlist() {
    if (messages_.port == nullptr || enlisted_) return;
    enlisted_ = true;
    if (controlled()) enlist_controlled();
  }
  void enlist_controlled() {
    row_ = {nullptr, messages_.queue, controlled_.bit};
    ravel_enlist(&kept_.back()->controlled, &row_);
  }

  // From now on its calls go where those of the other go. For the receiver of both.
  void share_inbox_of(end& other) {
    const std::shared_ptr<inbox> from = kept_.back();
    const std::shared_ptr<inbox> to = other.kept_.back();
    if (from == to) return;
    if (from->ends.size() + to->ends.size() > 64) throw std::length_error("ravel: more than 64 alternatives");
    std::unique_lock<std::mutex> first;
    std::unique_lock<std::mutex> second;
    if (!controlled()) {
      first = std::unique_lock(from->mutex, std::defer_lock);
      second = std::unique_lock(to->mutex, std::defer_lock);
      std::lock(first, second);
    }
    for (end* const moved : from->ends) {
      const std::uint64_t bit = to->ends.size();
      to->ends.push_back(moved);
      moved->kept_.push_back(to);
      if (controlled()) {
        ravel_inbox_join(&moved->controlled_, &to->controlled, bit);
        if (moved->enlisted_) moved->enlist_controlled();
      } else {
        moved->controlled_ = {&to->controlled, bit};
        moved->current_.store(to.get(), std::memory_order_release);
      }
    }
    from->ends.clear();
    from->controlled.queues = nullptr;
  }

  const std::string name_;
  ravel_end controlled_ = {};
  std::atomic<inbox*> current_{nullptr};
  std::vector<std::shared_ptr<inbox>> kept_;  // the last one is in use; callers may still hold the mutex of others
  std::deque<call*> calls_;
  call* chosen_ = nullptr;  // by choose(), for the next accept
  bool open_ = true;
  const messages messages_;
  ravel_enlisted row_ = {};
  bool enlisted_ = false;
  ravel_message* message_ = nullptr;     // by choose(), for the next receive
  recorded_thread* recorded_ = nullptr;  // that its messages are events of
};

// Of a port that is an alternative of a selective wait.
class port_end : public end {
 public:
  port_end(const char* name, const messages& of_port) : end(name, of_port) {}
  using end::arrive;
  using end::chosen_message;
};

}  // namespace ravel::detail
