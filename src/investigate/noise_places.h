// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where noise is put: placements turn what earlier runs observed into a table of places for the next one. Source of the
// coverage placement: Letko, "Analysis and testing of concurrent programs", 2012, 4.2; it delays a thread before
// the first of two accesses by different threads, to turn their order round.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "investigate/noise_config.h"
#include "model/text/result.h"
#include "wire/free_block.h"

namespace ravel {

// One place of the code, executed by one kind of thread.
struct KnownPlace {
  double executions = 0;  // per run in which it was executed
  std::uint64_t runs = 0;
  std::uint64_t first_run = 0;
  std::uint32_t least_us = 0;
  std::uint32_t most_us = 0;
  std::uint32_t group = 0;  // places with the same one touch the same variable
  bool shared = false;
  bool unprotected = false;
  bool sync = false;
};

class NoiseKnowledge {
 public:
  // After run `number`, from 0. Times are taken over only in the first kWindow runs of a place.
  void learn(const FreeBlock& block, std::uint64_t number);
  // Places of `places:FILE', found by whoever can name them.
  void add_listed(std::uint64_t pc) { listed_.insert(pc); }

  // A place of a race that a run has shown.
  void add_racy(std::uint64_t pc) { racy_.insert(pc); }
  [[nodiscard]] const std::set<std::uint64_t>& racy() const { return racy_; }

  using Key = std::pair<std::uint64_t, std::uint64_t>;  // address, kind of thread
  [[nodiscard]] const std::map<Key, KnownPlace>& places() const { return places_; }
  [[nodiscard]] const std::set<std::uint64_t>& listed() const { return listed_; }
  // Variables that several threads touched, each as its places.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> variables() const;

  static constexpr std::uint64_t kWindow = 10;
  static constexpr std::uint32_t kLongestUs = 10'000;  // plain waits for time-outs must not become delays

 private:
  std::map<Key, KnownPlace> places_;
  std::map<std::uint64_t, std::uint32_t> group_of_;  // by address, over all runs
  std::set<std::uint64_t> listed_;
  std::set<std::uint64_t> racy_;
};

// The noise of run `number` with its seed; without knowledge a placement that learns injects nothing.
FreeNoise noise_for(const NoiseConfig& config, const NoiseKnowledge& known, std::uint64_t seed, std::uint64_t number);
// Chance of a delay at a place that is executed so often in a run: max(0.001, 1 / (4 executions)); 0.01: not known.
std::uint32_t biased_per_million(double executions);

}  // namespace ravel
