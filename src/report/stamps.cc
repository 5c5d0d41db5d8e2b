// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/stamps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/sequence.h"

namespace ravel {
namespace {

class Stamper {
 public:
  Stamper(const ExecutionRecord& record, StampScheme scheme) : record_(record), scheme_(scheme) {
    std::map<std::uint64_t, std::size_t> numbers;
    for (const Event& event : record.events) {
      if (!is_sequence_event(event.kind)) continue;
      numbers.try_emplace(place_in_sequence(event), numbers.size());
    }
    columns_ = scheme == StampScheme::kThread ? record.threads.size() : numbers.size();
    number_ = std::move(numbers);
  }

  std::vector<Stamp> run() {
    for (const Event& event : record_.events) {
      if (event.thread >= record_.threads.size()) continue;
      take_edges(event);
      if (is_listed_event(event.kind) && !completes_nothing(event)) stamp(event);
      give_edges(event);
    }
    return std::move(out_);
  }

 private:
  static std::uint64_t place_in_sequence(const Event& event) {
    return sequence_place(event.kind, place_of(event), event.value);
  }
  Stamp& of_thread(std::uint64_t thread) { return fitted(threads_[thread]); }
  Stamp& of_place(std::uint64_t place) { return fitted(places_[place]); }
  Stamp& fitted(Stamp& stamp) const {
    stamp.resize(columns_);
    return stamp;
  }
  static void merge(Stamp& to, const Stamp& from) {
    for (std::size_t i = 0; i < std::min(to.size(), from.size()); ++i) to[i] = std::max(to[i], from[i]);
  }

  // What happens before an event beside its thread and its object.
  void take_edges(const Event& event) {
    Stamp& self = of_thread(event.thread);
    switch (event.kind) {
      case OpKind::kThreadJoin:
        return merge(self, of_thread(event.value));
      case OpKind::kCondReacquire:
        return merge(self, fitted(wakers_[event.thread]));
      case OpKind::kReturn:
      case OpKind::kAccept:
        return merge(self, of_place(place_of(event)));
      case OpKind::kTake:
      case OpKind::kDeliver:
        return merge(self, fitted(sent_[{place_of(event), event.value}]));
      case OpKind::kSelect:  // a call, or what its queue has sent so far
        merge(self, of_place(place_of(event)));
        if (event.value != 0) merge(self, of_place(event.value));
        return;
      default:
        return;
    }
  }

  void stamp(const Event& event) {
    const std::uint64_t place = place_in_sequence(event);
    Stamp& self = of_thread(event.thread);
    Stamp& object = of_place(place);
    if (scheme_ == StampScheme::kThread) ++self[event.thread];
    if (is_label(event.kind)) return out_.push_back(self);  // it orders nothing
    merge(object, self);
    if (scheme_ == StampScheme::kObject) ++object[number_[place]];
    self = object;
    out_.push_back(object);
  }

  void give_edges(const Event& event) {
    const Stamp& self = of_thread(event.thread);
    switch (event.kind) {
      case OpKind::kThreadCreate:
        return merge(of_thread(event.value), Stamp(self));
      case OpKind::kCondWait:
        waits_[event.thread] = place_of(event);
        return merge(of_place(event.value), Stamp(self));  // the mutex is given back
      case OpKind::kCondSignal:
        if (event.value != kNoThread) wakers_[event.value] = self;
        return;
      case OpKind::kCondBroadcast:
        for (const auto& [thread, place] : waits_) {
          if (place == place_of(event)) wakers_[thread] = self;
        }
        return;
      case OpKind::kOpen:
      case OpKind::kReply:
        return merge(of_place(place_of(event)), Stamp(self));
      case OpKind::kPut:
      case OpKind::kCast:
        sent_[{place_of(event), event.value}] = self;
        return;
      default:
        return;
    }
  }

  const ExecutionRecord& record_;
  StampScheme scheme_;
  std::size_t columns_ = 0;
  std::map<std::uint64_t, std::size_t> number_;  // of objects
  std::map<std::uint64_t, Stamp> threads_;
  std::map<std::uint64_t, Stamp> places_;
  std::map<std::uint64_t, Stamp> wakers_;  // by thread: its last signal
  std::map<std::uint64_t, std::uint64_t> waits_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Stamp> sent_;
  std::vector<Stamp> out_;
};

}  // namespace

std::vector<Stamp> stamps_of(const ExecutionRecord& record, StampScheme scheme) {
  return Stamper(record, scheme).run();
}

std::string stamp_text(const Stamp& stamp) {
  return fmt::format("{}", fmt::join(stamp, " "));
}

}  // namespace ravel
