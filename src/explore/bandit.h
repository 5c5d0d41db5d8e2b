// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bandit: which of several arms has the next turn. Each arm has a share; what it brought lately for what it cost raises
// the share, up to kMostGain times for the best one, so that nothing is ever left out. Turns are dealt out smoothly: an
// arm with a share of 1/8 comes every eighth turn, not with probability 1/8 (smooth weighted round robin, as web
// servers deal out requests).
//
// Lately: rewards and costs of an arm are halved whenever its costs reach a limit. Costs are scheduling points, not
// time: turns follow from the executions alone, so that a campaign can be repeated, divided and resumed.
//
// Trivially copyable; the strategy commits it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ravel {

class Bandit {
 public:
  static constexpr std::size_t kMostArms = 16;
  static constexpr std::uint32_t kMostGain = 4;

  // Of the arms with shares[i] != 0 the one whose turn it is. There is one.
  [[nodiscard]] std::size_t next(std::span<const std::uint32_t> shares) const;
  // The arm had its turn, whether or not it was next().
  void played(std::size_t arm, std::span<const std::uint32_t> shares, std::uint64_t reward, std::uint64_t cost);

 private:
  static constexpr std::uint32_t kUnit = 1u << 8;  // fixed point
  struct Arm {
    std::uint64_t reward = 0;
    std::uint64_t cost = 0;
    std::int64_t credit = 0;
    std::uint32_t gain = kMostGain * kUnit;  // one that nobody knows is as good as the best
  };
  [[nodiscard]] std::int64_t weight(std::size_t arm, std::span<const std::uint32_t> shares) const {
    return std::int64_t{shares[arm]} * arms_[arm].gain;
  }
  void compare();

  Arm arms_[kMostArms] = {};
  std::uint32_t played_ = 0;
};

}  // namespace ravel
