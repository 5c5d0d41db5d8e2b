// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One job of a campaign: a session, its watchdog, and a second life if its zygote dies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "driver/block_result.h"
#include "driver/campaign_options.h"
#include "driver/session.h"
#include "driver/watchdog.h"

namespace ravel {

class Job {
 public:
  // `tree`: the descriptor of what all jobs search; -1: each has a part of its own.
  Job(const CampaignOptions& options, std::uint32_t index, int tree) : options_(options), index_(index), tree_(tree) {}

  Result<void> start(Budget remaining);
  // False when this job is over.
  Result<bool> step(bool stop_now, Budget remaining);

  // It found something that ends an execution.
  [[nodiscard]] bool has_ending_finding() const;
  [[nodiscard]] bool found_hang() const;
  // The branch of the common tree that it was searching will never be finished.
  [[nodiscard]] bool died_holding_branch() const {
    return tree_ >= 0 && over_ && !stopped_ && !session_->campaign_done();
  }

  [[nodiscard]] int end_descriptor() const { return over_ ? -1 : session_->end_descriptor(); }

  // Of all its lives, without findings and outcomes, and with them.
  [[nodiscard]] CampaignResult numbers() const;
  [[nodiscard]] CampaignResult everything() const;
  void add_to(CampaignSample& sample) const;

 private:
  Result<bool> advance(bool stop_now, Budget remaining);
  Result<bool> finish(Budget remaining);
  void check_disk();
  void fill(Campaign& campaign, Budget remaining);
  [[nodiscard]] CampaignResult with_earlier(CampaignResult result) const;

  const CampaignOptions& options_;
  std::uint32_t index_;
  int tree_;
  std::unique_ptr<Session> session_;
  std::optional<Watchdog> watchdog_;
  Clock::time_point looked_{};             // when it was last looked at
  std::optional<CampaignResult> earlier_;  // of the life before
  std::string trouble_;
  bool stopped_ = false;
  bool over_ = false;
};

}  // namespace ravel
