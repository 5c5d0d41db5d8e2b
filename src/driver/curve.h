// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Samples of a campaign's progress for curves: however long it takes, at most kMaxSamples. When they are full every
// second one goes and from then on half as many are taken.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "driver/campaign_result.h"

namespace ravel {

class Curve {
 public:
  static constexpr std::size_t kMaxSamples = 256;

  // Offered at a steady pace.
  void offer(const CampaignSample& sample) {
    if (offered_++ % every_ != 0) return;
    samples_.push_back(sample);
    if (samples_.size() < kMaxSamples) return;
    for (std::size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = samples_[2 * i];
    samples_.resize(samples_.size() / 2);
    every_ *= 2;
  }

  // The end counts in any case.
  std::vector<CampaignSample> finish(const CampaignSample& last) {
    samples_.push_back(last);
    return std::move(samples_);
  }

 private:
  std::vector<CampaignSample> samples_;
  std::size_t offered_ = 0;
  std::size_t every_ = 1;
};

}  // namespace ravel
