// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/order_turns.h"

#include <algorithm>
#include <unordered_map>

namespace ravel {
namespace {

class Turns {
 public:
  Turns(const std::vector<Event>& events, const std::vector<EventEdge>& edges) : events_(events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::size_t thread = events[i].thread;
      if (thread >= own_.size()) own_.resize(thread + 1);
      own_[thread].push_back(i);
      number_.push_back(own_[thread].size());
    }
    done_.assign(own_.size(), 0);
    waits_.assign(own_.size(), false);
    for (const EventEdge& edge : edges) before_[edge.second].push_back(edge.first);
    for (std::size_t i = 0; i < events.size(); ++i) order_lives(i);
  }

  std::vector<Segment> run() {
    for (std::size_t i = 0; i < events_.size(); ++i) bring(i);
    return std::move(out_);
  }

 private:
  // A thread begins behind its creation and is joined behind its end.
  void order_lives(std::size_t i) {
    const Event& e = events_[i];
    const bool known = e.value < own_.size() && !own_[e.value].empty();
    if (e.kind == OpKind::kThreadCreate && known) before_[own_[e.value].front()].push_back(i);
    if (e.kind == OpKind::kThreadJoin && !e.failed() && known) before_[i].push_back(own_[e.value].back());
  }

  // Runs the event's thread until the event is done; who waits on the way for another thread is not run meanwhile.
  void bring(std::size_t event) {
    const std::size_t thread = events_[event].thread;
    if (waits_[thread]) return;
    waits_[thread] = true;
    while (done_[thread] < number_[event]) {
      const std::size_t next = own_[thread][done_[thread]];
      if (const auto edges = before_.find(next); edges != before_.end()) {
        for (const std::size_t first : edges->second) bring(first);
      }
      ++done_[thread];
      put(thread);
    }
    waits_[thread] = false;
  }

  void put(std::size_t thread) {
    const auto until = static_cast<std::uint32_t>(done_[thread]);
    if (!out_.empty() && out_.back().thread == thread) {
      out_.back().count = until;
    } else {
      out_.push_back({static_cast<std::uint32_t>(thread), until});
    }
  }

  const std::vector<Event>& events_;
  std::vector<std::vector<std::size_t>> own_;  // by thread: its events
  std::vector<std::size_t> number_;            // by event: which of its thread, from 1
  std::vector<std::size_t> done_;              // by thread
  std::vector<bool> waits_;                    // by thread
  std::unordered_map<std::size_t, std::vector<std::size_t>> before_;
  std::vector<Segment> out_;
};

}  // namespace

std::vector<Segment> turns_for(const std::vector<Event>& events, const std::vector<EventEdge>& edges) {
  return Turns(events, edges).run();
}

}  // namespace ravel
