// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/name_divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "investigate/replay_of.h"
#include "report/sequence.h"

namespace ravel {
namespace {

constexpr std::uint64_t kSchedules = 24;

class DivergenceNames {
 public:
  explicit DivergenceNames(const Divergence& divergence) : divergence_(divergence) {}

  void run(const CampaignOptions& campaign) {
    ReplayOptions replay = replay_of(campaign);
    for (std::uint64_t seed = 0; seed < kSchedules && !knows_all(); ++seed) {
      replay.plan.policy = PolicySpec{};
      replay.plan.policy.kind = seed == 0 ? PolicyKind::kRunOn : PolicyKind::kRandomWalk;
      replay.plan.policy.seed = seed;
      auto result = run_replay(replay);
      if (!result) return;
      learn(result->record);
    }
  }

  // "main.2 lock m at queue.cpp:14"
  [[nodiscard]] std::string event() const {
    if (!event_.empty()) return event_;
    const std::string who = thread_.empty() ? "of a thread" : "of " + thread_;
    const std::string what =
        divergence_.kind == OpKind::kNone ? "an operation" : std::string(op_name(divergence_.kind));
    return fmt::format("{} {}", what, who);
  }
  // "write of ready at queue.cpp:7"; empty: not known.
  [[nodiscard]] const std::string& access(unsigned which) const { return accesses_[which]; }

 private:
  [[nodiscard]] bool knows_all() const {
    const auto known = [&](unsigned i) { return divergence_.accesses[i] == 0 || !accesses_[i].empty(); };
    return !event_.empty() && known(0) && known(1);
  }

  void learn(const ExecutionRecord& record) {
    Names names(record, symbolizer_);
    SequenceNames objects(names);
    for (std::uint32_t i = 0; i < record.threads.size(); ++i) {
      const std::string lineage = lineage_of(record.threads, ThreadIndex(i));
      if (lasting_thread(lineage) == divergence_.thread) thread_ = lineage;
    }
    const std::vector<SynEvent> sequence = sequence_of(names, objects);
    std::map<std::string, std::uint32_t> done;  // events by thread; labels are none
    std::size_t line = 0;
    for (const Event& event : record.events) {
      for (unsigned i = 0; i < 2; ++i) {
        if (event.location != divergence_.accesses[i] || event.location == 0 || !accesses_[i].empty()) continue;
        accesses_[i] = fmt::format("{} of {} at {}", op_name(event.kind), names.object_text(event.object, event.offset),
                                   names.place_text(event.location, event.context));
      }
      if (!in_sequence(event)) continue;
      const SynEvent& one = sequence[line++];
      if (is_label(event.kind)) continue;
      const std::uint32_t number = ++done[one.thread];
      const LastingName object = objects.lasting(sequence_place(event.kind, place_of(event), event.value));
      if (number != divergence_.number || object != divergence_.object ||
          lasting_of(one.thread) != divergence_.thread) {
        continue;
      }
      event_ = fmt::format("{} at {}", event_text(one), names.place_text(event.location, event.context));
    }
  }

  static LastingName lasting_of(const std::string& doer) {
    std::string sender;
    std::uint32_t number = 0;
    return split_message(doer, sender, number) ? message_name(lasting_thread(sender), number) : lasting_thread(doer);
  }

  const Divergence& divergence_;
  Symbolizer symbolizer_;
  std::string thread_;
  std::string event_;
  std::string accesses_[2];
};

}  // namespace

std::string divergence_text(const Divergence& divergence, const CampaignOptions& campaign,
                            const std::vector<Finding>& findings) {
  DivergenceNames names(divergence);
  names.run(campaign);
  const std::string kind = divergence.object == 0 ? "choice" : "event";
  std::string text =
      fmt::format("prefix divergence: {} ({} {} of its thread) did not come, although everything before it did",
                  names.event(), kind, divergence.number);
  const auto race = std::find_if(findings.begin(), findings.end(),
                                 [](const Finding& one) { return one.kind == OutcomeKind::kDataRace; });
  if (race != findings.end()) return fmt::format("{}; what decides it: {}", text, race->message);
  if (!names.access(0).empty() && !names.access(1).empty()) {
    return fmt::format("{}; what decides it: {} is not ordered with {}", text, names.access(0), names.access(1));
  }
  return text + "; no unordered access was recorded: a clock, a random number or an address may decide it";
}

}  // namespace ravel
