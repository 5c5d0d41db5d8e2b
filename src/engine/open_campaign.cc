// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// See open_campaign.h.
#include "engine/open_campaign.h"

#include <cstring>
#include <new>
#include <string_view>

#include "wire/facts_table.h"
#include "wire/shared_tree.h"

namespace ravel {
namespace {

void refuse(SharedBlock& block, std::string_view why) {
  const std::size_t n = why.size() < kMessageBytes - 1 ? why.size() : kMessageBytes - 1;
  std::memcpy(block.control.error_text, why.data(), n);
  block.control.error_text[n] = 0;
  block.control.error = 1;
}

bool make_strategy_for(SharedBlock& block, CampaignState& state) {
  const Campaign& campaign = block.campaign;
  std::string_view text(campaign.strategy, strnlen(campaign.strategy, sizeof(campaign.strategy)));
  if (text.empty()) text = "portfolio";
  StrategyOptions options;
  options.seed = campaign.seed;
  options.shard_index = campaign.shard_index;
  options.shard_count = campaign.shard_count;
  options.schedule = {block.prefix, campaign.base.prefix_segments};
  options.target = campaign.target;
  if (auto* tree = reinterpret_cast<SharedTree*>(campaign.tree); tree != nullptr) {
    options.search = {tree->memory, &tree->header.left, campaign.tree_job};
  }
  options.facts = facts_in(reinterpret_cast<const FactsTableHeader*>(campaign.facts));
  options.visited = &block.visited;
  options.kept = &block.kept;
  options.ends_at_defect = campaign.keep_going == 0;
  StrategyProblem problem;
  state.parts = open_strategy(text, *state.memory, options, problem);
  if (state.parts.strategy == nullptr) {
    refuse(block, problem.error.empty() ? "the strategy has no such parameters" : problem.error);
    return false;
  }
  const StrategyRow* row = find_strategy(text);
  state.searches_tree = row->searches_tree;
  state.follows_goal = row->follows_goal || !options.facts.guide.entries.empty();
  state.needs_target = row->needs_target;
  state.idle = row->jobs != Jobs::kParts && options.shard_index != 0;
  state.fixed_points = row->from_plan;
  state.by_metric = metric_of_strategy(text);
  return true;
}

}  // namespace

CampaignState* open_campaign(SharedBlock& block) {
  auto* state = reinterpret_cast<CampaignState*>(block.arena);
  const void* code = &strategy_table()[0];
  if (state->magic == CampaignState::kMagic && state->code != code) {
    refuse(block, "the runtime is at another address than when the checkpoint was written: it cannot be resumed");
    return nullptr;
  }
  if (state->magic == CampaignState::kMagic) {
    if (block.campaign.resumed != 0) state->steps_before = state->counters.steps();
    block.campaign.resumed = 0;
    return state;
  }
  state = new (block.arena) CampaignState;
  state->code = code;
  state->memory = Arena::create(block.arena + kLastingBegin, kScratchBegin - kLastingBegin);
  if (block.campaign.mode == RunMode::kExplore && !make_strategy_for(block, *state)) return nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state->magic = CampaignState::kMagic;
  return state;
}

}  // namespace ravel
