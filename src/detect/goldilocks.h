// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// GoldiLocks: Elmas, Qadeer, Tasiran, "Goldilocks: a race and transaction-aware Java runtime", PLDI 2007. Precise
// races, with locksets that hold locks, places and threads and grow along happens-before; evaluated lazily, after short
// circuits. How an access was found to be free of races is counted: that is what a coverage metric is made of.
//
// Departures: the lockset rules cover all of C++20's synchronisation (transfer_log.h); a thread's last read and write
// of each byte are kept rather than one record; the list of synchronisation is not reclaimed but bounded.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "detect/access_history.h"
#include "detect/detector.h"
#include "detect/lockset_replay.h"
#include "detect/transfer_log.h"

namespace ravel {

class GoldiLocks final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {0} ({t0}) and {1} ({t1}), which nothing orders",
  };
  // How a check ended.
  enum class State : std::uint8_t {
    kSameThread,  // SCT: nobody else has touched it
    kSameLock,    // SCL: through a lock that both hold, or events of the two threads alone
    kLockset,     // LS: the whole lockset had to be computed
    kRace,        // E
    kCount
  };

  GoldiLocks(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return replay_.truncated() || history_.truncated() || log_.full(); }
  [[nodiscard]] std::uint64_t count(State state) const { return counts_[static_cast<std::size_t>(state)]; }

 private:
  static constexpr std::uint32_t kMaxTransfers = 1u << 19;
  static constexpr std::uint32_t kMaxElements = 1u << 16;

  [[nodiscard]] State check(const PastAccess& old, ThreadIndex thread);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  TransferLog log_;
  LocksetReplay replay_;
  AccessHistory history_;
  std::uint64_t counts_[static_cast<std::size_t>(State::kCount)] = {};
};

}  // namespace ravel
