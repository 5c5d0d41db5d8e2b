// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Before each event its thread makes an access that nobody sees. Such a marker is known to another thread exactly when
// an event at or after it was handed over, and the next marker of the thread, if it is not known, lies behind that
// event. So the last known marker stands directly before the event the arrow begins at.
#include "report/order_edges.h"

#include <algorithm>
#include <map>
#include <memory_resource>
#include <unordered_map>

#include "causality/causality.h"

namespace ravel {
namespace {

constexpr std::uint32_t kClockNodes = 1u << 19;

struct Marker {
  Epoch epoch;
  std::uint32_t event = 0;
};

// What a thread knows of another one: how many of its markers, and since which event.
struct Known {
  std::uint32_t since = 0;
  std::size_t markers = 0;
};

class Tracer {
 public:
  explicit Tracer(const std::vector<Event>& events) : events_(events), causality_(memory_, options(events)) {}

  OrderEdges run() {
    for (std::uint32_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      const bool is_first = mark(event.thread, i);
      causality_.on_event(event);
      if (is_first || op_class(event.kind) != OpClass::kPlain) learn(event.thread, i);
      add_wake(event, i);
    }
    out_.exact = !causality_.exhausted();
    return std::move(out_);
  }

 private:
  using Learnt = std::vector<Known>;

  static CausalityOptions options(const std::vector<Event>& events) {
    CausalityOptions options;
    options.max_threads = 2;
    for (const Event& event : events) {
      options.max_threads = std::max(options.max_threads, event.thread + 2);
      const bool names_thread = event.kind == OpKind::kThreadCreate || event.kind == OpKind::kThreadJoin;
      if (names_thread && event.value < (1u << 18))
        options.max_threads = std::max(options.max_threads, static_cast<std::uint32_t>(event.value) + 2);
    }
    options.max_clock_nodes = kClockNodes;
    options.max_sync_places = 1u << 18;
    return options;
  }

  // Whether it is the thread's first event.
  bool mark(ThreadIndex thread, std::uint32_t i) {
    Event marker;
    marker.kind = OpKind::kRead;
    marker.thread = thread;
    std::vector<Marker>& list = markers_[thread];
    if (list.empty()) order_.push_back(thread);
    list.push_back({causality_.on_event(marker), i});
    return list.size() == 1;
  }

  void learn(ThreadIndex thread, std::uint32_t i) {
    std::vector<std::uint32_t> gained;
    for (const ThreadIndex other : order_) {
      if (other == thread) continue;
      const std::vector<Marker>& list = markers_[other];
      Learnt& log = learnt_[{thread, other}];
      const std::size_t before = log.empty() ? 0 : log.back().markers;
      std::size_t now = before;
      while (now < list.size() && causality_.ordered(list[now].epoch, thread)) ++now;
      if (now == before) continue;
      log.push_back({i, now});
      gained.push_back(list[now - 1].event);
    }
    if (gained.empty()) return;
    std::sort(gained.begin(), gained.end());
    if (gained.size() > kMaxEdgesOfEvent)
      gained.erase(gained.begin(), gained.end() - static_cast<std::ptrdiff_t>(kMaxEdgesOfEvent));
    for (const std::uint32_t from : gained) {
      const bool follows = std::any_of(gained.begin(), gained.end(),
                                       [&](std::uint32_t via) { return via != from && is_before(from, via); });
      if (!follows) out_.edges.push_back({from, i, false});
    }
  }

  // Whether `from` happens before `to`, both in the past and of different threads.
  [[nodiscard]] bool is_before(std::uint32_t from, std::uint32_t to) const {
    const auto log = learnt_.find({events_[to].thread, events_[from].thread});
    if (log == learnt_.end()) return false;
    const auto later = std::upper_bound(log->second.begin(), log->second.end(), to,
                                        [](std::uint32_t at, const Known& known) { return at < known.since; });
    if (later == log->second.begin()) return false;
    const std::vector<Marker>& list = markers_.at(events_[from].thread);
    return list[std::prev(later)->markers - 1].event >= from;
  }

  void add_wake(const Event& event, std::uint32_t i) {
    if (event.kind == OpKind::kCondSignal && event.value != kNoThread) {
      signals_[static_cast<ThreadIndex>(event.value)] = i;
    } else if (event.kind == OpKind::kCondReacquire) {
      const auto signal = signals_.find(event.thread);
      if (signal == signals_.end()) return;
      out_.edges.push_back({signal->second, i, true});
      signals_.erase(signal);
    }
  }

  const std::vector<Event>& events_;
  std::pmr::monotonic_buffer_resource memory_;
  Causality causality_;
  std::vector<ThreadIndex> order_;
  std::unordered_map<ThreadIndex, std::vector<Marker>> markers_;
  std::map<std::pair<ThreadIndex, ThreadIndex>, Learnt> learnt_;
  std::unordered_map<ThreadIndex, std::uint32_t> signals_;  // by whom they woke
  OrderEdges out_;
};

}  // namespace

OrderEdges order_edges(const std::vector<Event>& events) {
  if (events.empty()) return {};
  return Tracer(events).run();
}

}  // namespace ravel
