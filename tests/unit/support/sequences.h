// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sequences of toy programs, written out by the test itself: the judge of reachability testing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/sampling.h"
#include "semantics/effects.h"
#include "support/search.h"

namespace ravel::testing {

// A campaign, and the sequence of each of its executions: of every object its completions, and the choices. Atomics are
// objects if the plan says so, or the caller: those that reachability testing has made objects.
struct Sequences : Search {
  // `shard' of `shards' processes.
  Sequences(const char* strategy, const toy::Program& program, std::uint64_t executions = 30'000,
            std::uint32_t shard = 0, std::uint32_t shards = 1, std::set<LastingName> listed = {})
      : Search(strategy, program), atomics(std::move(listed)) {
    block->campaign.base.points = PointsMode::kSync;
    block->campaign.iterations = executions;
    block->campaign.shard_index = shard;
    block->campaign.shard_count = shards;
    executor.at_end = [this](std::uint64_t, SharedBlock& shared) { see(shared); };
    run();
  }
  void see(SharedBlock& shared) {
    see_atomics(shared);
    std::map<std::uint64_t, std::string> objects;
    std::map<std::uint64_t, std::string> ports;
    std::map<std::uint64_t, std::string> mutexes;
    std::map<ThreadIndex, unsigned> numbers;
    for (std::uint64_t i = 0; i < shared.result.events.load(); ++i) {
      const Event& event = shared.ring[i];
      if (event.kind == OpKind::kChoice) {
        objects[event.thread] += " " + std::to_string(event.value);
      }
      const bool access = is_atomic_access(event.kind) && is_object(shared, event);
      if ((!access && !is_sequence_event(event.kind)) || completes_nothing(event)) continue;
      if (is_withdrawn(event.bits)) {
        ++numbers[event.thread];
        continue;
      }
      std::string& list = objects[sequence_place(event.kind, place_of(event), event.value)];
      if (event.kind == OpKind::kDeliver) {
        const std::string message =
            " " + std::to_string(sender_of(event.value)) + "/" + std::to_string(event.value & 0xff);
        list += message;
        ports[place_of(event)] += message;
        continue;
      }
      if (event.kind == OpKind::kSelect) {
        list += " queue " + std::to_string(event.value) + "/" + std::to_string(event.size);
        continue;
      }
      const OpFamily family = family_of(event.kind);
      if (family == OpFamily::kMutex || event.kind == OpKind::kCondReacquire) {
        mutexes[sequence_place(event.kind, place_of(event), event.value)] += " " + std::to_string(event.thread);
      }
      list += " " + std::to_string(event.thread) + "#" + std::to_string(++numbers[event.thread]);
      if (event.kind == OpKind::kCondSignal) list += "->" + std::to_string(event.value & 0xff);
    }
    std::string key;
    for (const auto& [place, list] : objects) key += std::to_string(place) + ":" + list + "\n";
    std::string arrivals;
    for (const auto& [place, list] : ports) arrivals += std::to_string(place) + ":" + list + "\n";
    if (ran_to_its_end(shared.result.outcome)) deliveries.insert(arrivals);
    std::string end;
    for (const toy::ThreadState& thread : executor.last_state.threads) end += std::to_string(thread.seen) + " ";
    for (const auto& [place, list] : mutexes) end += std::to_string(place) + ":" + list + "\n";
    ends.insert(end);
    const bool held = shared.result.outcome == OutcomeKind::kHeld;
    suspects += held;
    deadlocks += shared.result.outcome == OutcomeKind::kDeadlock && !held;
    if (!held && !seen.insert(key).second) ++twice;
  }
  // The search began again: what came before does not count.
  void see_atomics(const SharedBlock& shared) {
    const SequenceRules& rules = shared.plan.sequence;
    if (rules.atomics <= atomics.size()) return;
    for (std::uint32_t i = rules.count - rules.atomics; i < rules.count; ++i) atomics.insert(shared.sequence[i].object);
    seen.clear();
    deliveries.clear();
    twice = suspects = deadlocks = 0;
  }
  [[nodiscard]] bool is_object(const SharedBlock& shared, const Event& event) const {
    return !atomics.empty() && atomics.count(place_name_in(shared.threads, shared.objects, place_of(event))) != 0;
  }
  std::set<LastingName> atomics;
  std::set<std::string> seen;
  std::set<std::string> deliveries;  // without what else is ordered
  std::set<std::string> ends;        // what the threads have observed, and who had which mutex when
  unsigned twice = 0;
  unsigned suspects = 0;
  unsigned deadlocks = 0;
};

}  // namespace ravel::testing
