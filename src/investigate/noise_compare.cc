// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/noise_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/interrupt.h"
#include "report/json_text.h"
#include "report/ratio.h"
#include "report/suspects.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;
constexpr FreePlacement kPlacements[] = {FreePlacement::kRandom,
                                         FreePlacement::kVarOne,
                                         FreePlacement::kVarOneOther,
                                         FreePlacement::kVarAll,
                                         FreePlacement::kVarAllOther,
                                         FreePlacement::kCoverage,
                                         FreePlacement::kCoverageStrength,
                                         FreePlacement::kUnprotected,
                                         FreePlacement::kRacy,
                                         FreePlacement::kSync};

double ratio(const NoiseMeasure& one) {
  return one.runs == 0 ? 0 : static_cast<double>(one.failed) / static_cast<double>(one.runs);
}

class Comparison {
 public:
  Comparison(const FreeCampaignRequest& base, const ProgramImage& image,
             const std::function<void(const NoiseMeasure&)>& listener)
      : base_(base), image_(image), listener_(listener) {}

  Result<NoiseComparison> take() {
    if (auto measured = measure(NoiseConfig{}); !measured) {
      return tl::make_unexpected(measured.error());
    } else {
      result_.none = *measured;
    }
    if (auto ran = run_grid(); !ran) return tl::make_unexpected(ran.error());
    if (auto ran = run_placements(); !ran) return tl::make_unexpected(ran.error());
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_over() {
    const bool over = InterruptGuard::interrupted() || base_.run.deadline.passed();
    if (over) result_.complete = false;
    return over;
  }

  Result<NoiseMeasure> measure(const NoiseConfig& config) {
    FreeCampaignRequest request = base_;
    request.noise = config;
    request.until_failure = false;
    request.allow_vacuous = true;
    request.coverage.metrics = metric_bit(MetricId::kAvioStar) | metric_bit(MetricId::kHbPairStar);
    if (config.learns()) ++request.runs;  // the first one is without noise
    auto result = run_free_campaign(request, image_);
    if (!result) return tl::make_unexpected(result.error());
    NoiseMeasure out{config, result->report.runs, result->report.failed};
    if (out.runs != 0) out.seconds = result->report.running / static_cast<double>(out.runs);
    for (const CoverTask& task : result->coverage->tasks) {
      out.avio += task.metric == MetricId::kAvioStar ? 1 : 0;
      out.hbpair += task.metric == MetricId::kHbPairStar ? 1 : 0;
    }
    if (listener_) listener_(out);
    return out;
  }

  Result<void> add(std::vector<NoiseMeasure>& to, const NoiseConfig& config) {
    if (is_over()) return {};
    auto measured = measure(config);
    if (!measured) return tl::make_unexpected(measured.error());
    to.push_back(*measured);
    return {};
  }

  Result<void> run_grid() {
    for (std::size_t seeding = 0; seeding < std::size(kSeedingNames); ++seeding) {
      NoiseConfig config;
      config.on = true;
      config.seeding = static_cast<NoiseSeeding>(seeding);
      for (const std::uint32_t frequency : kComparedFrequencies) {
        config.frequency = frequency;
        if (auto added = add(result_.grid, config); !added) return added;
      }
      config.frequency = kRankedFrequency;
      for (const int bits : {1, 2, 3}) {
        config.tampers = (bits & 1) != 0;
        config.halts = (bits & 2) != 0;
        if (auto added = add(result_.advanced, config); !added) return added;
      }
    }
    return {};
  }

  Result<void> run_placements() {
    const auto best =
        std::max_element(result_.grid.begin(), result_.grid.end(), [](const NoiseMeasure& a, const NoiseMeasure& b) {
          return std::pair(ratio(a), a.avio) < std::pair(ratio(b), b.avio);
        });
    if (best == result_.grid.end()) return {};
    NoiseConfig config = best->config;
    config.frequency = kRankedFrequency;
    for (const FreePlacement placement : kPlacements) {
      config.placement = placement;
      if (auto added = add(result_.placements, config); !added) return added;
    }
    return {};
  }

  const FreeCampaignRequest& base_;
  const ProgramImage& image_;
  const std::function<void(const NoiseMeasure&)>& listener_;
  NoiseComparison result_;
};

// A column of the tables.
struct Subject {
  std::string_view title;
  double (*value)(const NoiseMeasure&);
};
constexpr Subject kSubjects[] = {
    {"failing runs", [](const NoiseMeasure& m) { return ratio(m); }},
    {"tasks of avio*", [](const NoiseMeasure& m) { return static_cast<double>(m.avio); }},
    {"tasks of hbpair*", [](const NoiseMeasure& m) { return static_cast<double>(m.hbpair); }},
    {"time of a run", [](const NoiseMeasure& m) { return m.seconds; }},
};
constexpr std::size_t kRanked = 3;  // the last one is a cost

// Against no noise; if that has none of it, the value itself.
std::string cell(const Subject& subject, const NoiseMeasure& one, const NoiseMeasure& none) {
  const double base = subject.value(none);
  const double value = subject.value(one);
  if (base > 0) return fmt::format("{:.2f}", value / base);
  return subject.value == kSubjects[0].value ? fmt::format("{:.0f} %", 100 * value) : fmt::format("{:.0f}", value);
}

std::string base_text(const Subject& subject, const NoiseMeasure& none) {
  const double base = subject.value(none);
  if (subject.value == kSubjects[0].value) {
    return base > 0 ? fmt::format("factor, {} of {} without noise", none.failed, none.runs)
                    : fmt::format("none of {} fails without noise: percent", none.runs);
  }
  if (subject.value == kSubjects[3].value) return fmt::format("factor, {:.4f} s without noise", base);
  return base > 0 ? fmt::format("factor, {:.0f} without noise", base) : "none without noise: number";
}

std::string grid_table(const Subject& subject, const NoiseComparison& all) {
  std::string out = fmt::format("\n{} ({})\n{:<6}", subject.title, base_text(subject, all.none), "freq");
  for (const std::string_view name : kSeedingNames) out += fmt::format(" {:>10}", name);
  for (std::size_t row = 0; row < std::size(kComparedFrequencies); ++row) {
    out += fmt::format("\n{:<6}", kComparedFrequencies[row]);
    for (std::size_t i = row; i < all.grid.size(); i += std::size(kComparedFrequencies)) {
      out += fmt::format(" {:>10}", cell(subject, all.grid[i], all.none));
    }
  }
  return out + "\n";
}

std::string advanced_table(const Subject& subject, const NoiseComparison& all) {
  std::string out = fmt::format("\n{} with timeoutTamper (tt) and haltOneThread (ht), freq {}\n{:<6}", subject.title,
                                kRankedFrequency, "");
  for (const std::string_view name : kSeedingNames) out += fmt::format(" {:>10}", name);
  constexpr std::string_view kNames[] = {"tt", "ht", "tt+ht"};
  for (std::size_t row = 0; row < std::size(kNames); ++row) {
    out += fmt::format("\n{:<6}", kNames[row]);
    for (std::size_t i = row; i < all.advanced.size(); i += std::size(kNames)) {
      out += fmt::format(" {:>10}", cell(subject, all.advanced[i], all.none));
    }
  }
  return out + "\n";
}

std::vector<double> mean_ranks(const std::vector<NoiseMeasure>& all, bool per_time) {
  std::vector<double> sum(all.size(), 0);
  for (std::size_t subject = 0; subject < kRanked; ++subject) {
    std::vector<double> values;
    for (const NoiseMeasure& one : all) {
      const double value = kSubjects[subject].value(one);
      values.push_back(per_time && one.seconds > 0 ? value / one.seconds : value);
    }
    const std::vector<double> ranks = ranks_of(values);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += ranks[i] / kRanked;
  }
  return sum;
}

std::string placement_table(const NoiseComparison& all) {
  if (all.placements.empty()) return {};
  const std::vector<double> total = mean_ranks(all.placements, false);
  const std::vector<double> per_time = mean_ranks(all.placements, true);
  std::string out =
      fmt::format("\nplacements, {} freq {}: mean rank over failing runs, avio* and hbpair*\n{:<18} {:>7} {:>9}\n",
                  kSeedingNames[static_cast<std::size_t>(all.placements[0].config.seeding)], kRankedFrequency,
                  "placement", "total", "per time");
  std::vector<std::size_t> order(total.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return total[a] < total[b]; });
  for (const std::size_t i : order) {
    const auto placement = static_cast<std::size_t>(all.placements[i].config.placement);
    out += fmt::format("{:<18} {:>7.2f} {:>9.2f}\n", kFreePlacementNames[placement], total[i], per_time[i]);
  }
  return out;
}

std::vector<const NoiseMeasure*> everything(const NoiseComparison& all) {
  std::vector<const NoiseMeasure*> out;
  for (const auto* list : {&all.grid, &all.advanced, &all.placements}) {
    for (const NoiseMeasure& one : *list) out.push_back(&one);
  }
  return out;
}

// The best of them against none, and one that is worse than none.
std::string extremes(const NoiseComparison& all) {
  const std::vector<const NoiseMeasure*> list = everything(all);
  if (list.empty()) return {};
  const auto fewer = [](const NoiseMeasure* a, const NoiseMeasure* b) { return ratio(*a) < ratio(*b); };
  const NoiseMeasure& best = **std::max_element(list.begin(), list.end(), fewer);
  const NoiseMeasure& worst = **std::min_element(list.begin(), list.end(), fewer);
  std::string out;
  const auto line = [&](const char* word, const NoiseMeasure& a, const NoiseMeasure& b, const NoiseMeasure& shown) {
    const double p = fisher(a.failed, a.failed + b.failed, a.runs, b.runs);
    out += fmt::format("{} {}: {} of {} runs fail ({}), {} of {} without noise, p {:.2g}\n", word, shown.config.text(),
                       shown.failed, shown.runs, interval_text(shown.failed, shown.runs), all.none.failed,
                       all.none.runs, p);
  };
  out += "\n";
  if (ratio(best) > ratio(all.none)) line("best:", best, all.none, best);
  if (ratio(worst) < ratio(all.none)) line("worse than none:", all.none, worst, worst);
  return out == "\n" ? "\nno configuration fails more or less often than none\n" : out;
}

Json measure_json(const NoiseMeasure& one) {
  return {{"noise", one.config.text()}, {"runs", one.runs},      {"failed", one.failed},  {"ratio", ratio(one)},
          {"avio*", one.avio},          {"hbpair*", one.hbpair}, {"seconds", one.seconds}};
}

}  // namespace

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto above = std::count_if(values.begin(), values.end(), [&](double other) { return other > value; });
    const auto same = std::count(values.begin(), values.end(), value);
    ranks.push_back(static_cast<double>(above) + (static_cast<double>(same) + 1) / 2);
  }
  return ranks;
}

Result<NoiseComparison> compare_noise(const FreeCampaignRequest& base, const ProgramImage& image,
                                      const std::function<void(const NoiseMeasure&)>& listener) {
  return Comparison(base, image, listener).take();
}

std::string comparison_text(const NoiseComparison& comparison) {
  std::string out;
  for (const Subject& subject : kSubjects) out += grid_table(subject, comparison);
  for (const Subject& subject : kSubjects) {
    if (!comparison.advanced.empty()) out += advanced_table(subject, comparison);
  }
  out += placement_table(comparison) + extremes(comparison);
  if (!comparison.complete) out += "not complete: there was no more time\n";
  return out.substr(1);
}

std::string comparison_json(const NoiseComparison& comparison, const ProgramImage& image) {
  const auto list = [](const std::vector<NoiseMeasure>& all) {
    Json out = Json::array();
    for (const NoiseMeasure& one : all) out.push_back(measure_json(one));
    return out;
  };
  const Json json = {{"command", "noise compare"},
                     {"program", image.path},
                     {"complete", comparison.complete},
                     {"none", measure_json(comparison.none)},
                     {"seedings", list(comparison.grid)},
                     {"advanced", list(comparison.advanced)},
                     {"placements", list(comparison.placements)},
                     {"rank_total", mean_ranks(comparison.placements, false)},
                     {"rank_per_time", mean_ranks(comparison.placements, true)}};
  return json_text(json);
}

}  // namespace ravel
