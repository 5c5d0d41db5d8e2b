// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Every member of CampaignResult, once: its name in JSON and how it is combined over the jobs of a campaign, over jobs
// that search one tree, over calls of explore(), over the lives of one job whose zygote was started again, and over
// shards
// (`ravel merge'). Adding, JSON and merge walk this table, so that a member can be forgotten in none of them.
#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "driver/campaign_result.h"
#include "driver/combine.h"

namespace ravel {

enum class Adding { kJobs, kJobsOfOneTree, kCalls, kLives, kShards };

namespace combine {

// Ways that look at more than their own member take both results. They stand above the member they look at.
struct OfWholeResults {};

// The job that has covered the fewest bounds speaks for all.
struct NoteOfTheSlowest : OfWholeResults {
  void operator()(CampaignResult& total, const CampaignResult& one) const {
    if (total.strategy_note.empty() || one.bounds < total.bounds) total.strategy_note = one.strategy_note;
  }
};

[[nodiscard]] inline bool is_slower(Isolation one, Isolation than) {
  return one != Isolation::kAuto && (than == Isolation::kAuto || one < than);
}
struct ReasonOfTheSlowest : OfWholeResults {
  void operator()(CampaignResult& total, const CampaignResult& one) const {
    if (is_slower(one.isolation, total.isolation)) total.isolation_reason = one.isolation_reason;
  }
};
struct Slowest {
  void operator()(Isolation& total, const Isolation& one) const {
    if (is_slower(one, total)) total = one;
  }
};

// Parts of a search: unknown when one of them is.
struct SumOfEstimates {
  void operator()(CampaignEstimate& total, const CampaignEstimate& one) const {
    if (total.executions == 0 || one.executions == 0) {
      total = {};
      return;
    }
    total = {total.executions + one.executions, total.low + one.low, total.high + one.high};
  }
};
// Each speaks of the whole tree, and knows nothing of what others have done in the branch they are at.
struct SmallestEstimate {
  void operator()(CampaignEstimate& total, const CampaignEstimate& one) const {
    if (one.executions != 0 && (total.executions == 0 || one.executions < total.executions)) total = one;
  }
};

// A second life begins from scratch: what it has listed to the end is the whole list.
struct OutcomesOfLives : OfWholeResults {
  void operator()(CampaignResult& total, const CampaignResult& one) const {
    if (one.complete) total.outcomes.clear();
    total.outcomes.insert(total.outcomes.end(), one.outcomes.begin(), one.outcomes.end());
  }
};

// Jobs have no order among them; calls do.
struct AddDigest {
  void operator()(TraceDigest& total, const TraceDigest& one) const {
    total = TraceDigest{static_cast<std::uint64_t>(total) + static_cast<std::uint64_t>(one)};
  }
};
struct ChainDigest {
  void operator()(TraceDigest& total, const TraceDigest& one) const {
    total = TraceDigest{static_cast<std::uint64_t>(total) * 31 + static_cast<std::uint64_t>(one)};
  }
};

struct SumOfParts {
  void operator()(PartResults& total, const PartResults& one) const {
    for (std::size_t i = 0; i < total.size(); ++i) {
      total[i].executions += one[i].executions;
      total[i].distinct_traces += one[i].distinct_traces;
      total[i].found += one[i].found;
    }
  }
};

// Other jobs may have seen the same ones.
struct SequencesOfJobs : OfWholeResults {
  void operator()(CampaignResult& total, const CampaignResult& one) const {
    const bool apart = total.own_sequences && one.own_sequences;
    total.sequences = apart ? total.sequences + one.sequences : std::max(total.sequences, one.sequences);
  }
};

// One is enough to say.
struct FirstDivergence {
  void operator()(Divergence& total, const Divergence& one) const {
    if (!total.found()) total = one;
  }
};

struct MergeLimits {
  void operator()(LimitsSeen& total, const LimitsSeen& one) const { total.merge(one); }
};

}  // namespace combine

struct NotInJson {};  // in the place of a name

template <class T, class Name, class Jobs, class Tree, class Calls, class Lives, class Shards>
struct CampaignField {
  static constexpr bool in_json = !std::is_same_v<Name, NotInJson>;
  // Of several shards the first speaks.
  static constexpr bool first_shard_only = std::is_same_v<Shards, combine::Keep>;

  T CampaignResult::*member;
  Name name;
  Jobs jobs;
  Tree tree;
  Calls calls;
  Lives lives;
  Shards shards;

  template <Adding adding>
  [[nodiscard]] constexpr const auto& how() const {
    if constexpr (adding == Adding::kJobs) return jobs;
    if constexpr (adding == Adding::kJobsOfOneTree) return tree;
    if constexpr (adding == Adding::kCalls) return calls;
    if constexpr (adding == Adding::kLives) return lives;
    if constexpr (adding == Adding::kShards) return shards;
  }
};
template <class T, class Name, class How>
[[nodiscard]] constexpr auto same_everywhere(T CampaignResult::*member, Name name, How how) {
  return CampaignField<T, Name, How, How, How, How, How>{member, name, how, how, how, how, how};
}
template <class T, class Name, class Jobs, class Tree, class Calls, class Lives, class Shards>
[[nodiscard]] constexpr auto differs(T CampaignResult::*member, Name name, Jobs jobs, Tree tree, Calls calls,
                                     Lives lives, Shards shards) {
  return CampaignField<T, Name, Jobs, Tree, Calls, Lives, Shards>{member, name, jobs, tree, calls, lives, shards};
}

// clang-format off
inline constexpr auto kCampaignFields = [] {
  using R = CampaignResult;
  constexpr combine::Sum sum;      constexpr combine::Most most;      constexpr combine::Least least;
  constexpr combine::All all;      constexpr combine::Any any;        constexpr combine::Union bits;
  constexpr combine::Append append; constexpr combine::Keep keep;     constexpr combine::Last last;
  constexpr combine::FirstText first_text;       constexpr combine::LastText last_text;
  constexpr combine::SumOfEstimates estimates;   constexpr combine::NoteOfTheSlowest slow_note;
  constexpr combine::ReasonOfTheSlowest reason;  constexpr combine::Slowest slowest;
  constexpr combine::AddDigest digest;           constexpr NotInJson none;
  // Order: that of the JSON.
  //                                                       jobs       one tree                     calls      lives  shards
  return std::tuple{
      same_everywhere(&R::executions, "executions", sum),
      differs(&R::complete, "complete",                    all,       all,                         all,       last,  all),
      differs(&R::promise_kept, none,                      all,       all,                         all,       last,  all),
      differs(&R::strategy_note, "strategy_note",          slow_note, slow_note,                   last_text, last_text, slow_note),
      differs(&R::bounds, "bounds_covered",                least,     least,                       least,     last,  least),
      differs(&R::estimate, "estimate",                    estimates, combine::SmallestEstimate{}, estimates, last,  estimates),
      differs(&R::behaviours, "behaviours",                sum,       most,                        sum,       last,  most),
      same_everywhere(&R::steps, "steps", sum),
      same_everywhere(&R::decisions, "decisions", sum),
      differs(&R::distinct_traces, "distinct_traces",      most,      sum,                         sum,       most,  most),
      differs(&R::sequences, "sequences",                  combine::SequencesOfJobs{}, most,       sum,       most,  most),
      same_everywhere(&R::own_sequences, none, all),
      same_everywhere(&R::suspects, "suspect", sum),
      same_everywhere(&R::divergence, none, combine::FirstDivergence{}),
      differs(&R::trace_digest, "trace_digest",            digest,    digest,                      combine::ChainDigest{}, digest, digest),
      same_everywhere(&R::blocked, "blocked", sum),
      same_everywhere(&R::abandoned, "abandoned", sum),
      same_everywhere(&R::values, "values", keep),
      same_everywhere(&R::kept, none, append),
      same_everywhere(&R::cut, "cut", sum),
      same_everywhere(&R::with_choice, none, sum),
      same_everywhere(&R::callouts, none, sum),
      same_everywhere(&R::threads_max, "threads_max", most),
      same_everywhere(&R::goal_level, none, most),
      same_everywhere(&R::goal_states, "states", sum),
      same_everywhere(&R::seen, none, append),
      differs(&R::unchanged, "unchanged",                  least,     least,                       least,     last,  least),
      differs(&R::saturated, "saturated",                  all,       all,                         all,       last,  all),
      differs(&R::all_cut, "all_cut",                      all,       all,                         all,       last,  all),
      same_everywhere(&R::parts, "parts", combine::SumOfParts{}),
      same_everywhere(&R::operations, "operations", sum),
      differs(&R::calls, "explorations",                   keep,      keep,                        append,    keep,  keep),
      same_everywhere(&R::explore_name, none, first_text),
      differs(&R::seconds, "seconds",                      keep,      keep,                        sum,       keep,  sum),
      same_everywhere(&R::curve, "curve", keep),
      same_everywhere(&R::isolation_reason, "isolation_reason", reason),
      same_everywhere(&R::isolation, "isolation", slowest),
      same_everywhere(&R::isolation_verified, "isolation_verified", sum),
      same_everywhere(&R::isolation_doubtful, "isolation_doubtful", sum),
      same_everywhere(&R::interrupted, "interrupted", any),
      same_everywhere(&R::mismatches, "mismatches", sum),
      same_everywhere(&R::worker_restarts, "worker_restarts", sum),
      same_everywhere(&R::trouble, "trouble", last_text),
      same_everywhere(&R::internal_error, NotInJson{}, last_text),
      same_everywhere(&R::notes, none, bits),
      same_everywhere(&R::limits, none, combine::MergeLimits{}),
      differs(&R::executions_by_job, "executions_by_job",  append,    append,                      sum,       sum,   keep),
      same_everywhere(&R::found, none, append),
      differs(&R::outcomes, none,                          append,    append,                      append,    combine::OutcomesOfLives{}, append),
      same_everywhere(&R::coverage, none, append),
      same_everywhere(&R::from_saved_plans, none, any),
      same_everywhere(&R::program_ended, none, any),
      same_everywhere(&R::end_text, none, last_text),
      same_everywhere(&R::exit_status, none, last),
  };
}();
// clang-format on

// Calls `visit` with each row.
template <class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, kCampaignFields);
}

template <Adding adding>
void add_result(CampaignResult& total, const CampaignResult& one) {
  for_each_field([&](const auto& field) {
    const auto& how = field.template how<adding>();
    if constexpr (std::is_base_of_v<combine::OfWholeResults, std::remove_cvref_t<decltype(how)>>) {
      how(total, one);
    } else {
      how(total.*field.member, one.*field.member);
    }
  });
}

namespace campaign_fields_check {

struct Anything {
  template <class T>
  operator T() const;
};
template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return requires {
    T{(static_cast<void>(I), Anything{})...};
  };
}
template <class T, std::size_t N = 1>
consteval std::size_t members_of() {
  if constexpr (takes<T>(std::make_index_sequence<N>{})) {
    return members_of<T, N + 1>();
  } else {
    return N - 1;
  }
}
static_assert(members_of<CampaignResult>() == std::tuple_size_v<std::remove_const_t<decltype(kCampaignFields)>>,
              "each member of CampaignResult has one row");

}  // namespace campaign_fields_check

}  // namespace ravel
