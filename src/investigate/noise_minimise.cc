// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/noise_minimise.h"

#include <algorithm>

#include "driver/interrupt.h"
#include "driver/plan_store.h"

namespace ravel {
namespace {

std::string list_text(const std::vector<std::string>& places) {
  std::string text = "# places of noise\n";
  for (const std::string& place : places) text += place + "\n";
  return text;
}

bool above_half(std::uint64_t failed, std::uint64_t runs, const NoiseMinimum& first) {
  return runs != 0 && 2 * failed * first.runs >= first.failed * runs;
}

}  // namespace

std::vector<std::string> leave_out(std::vector<std::string> all,
                                   const std::function<bool(const std::vector<std::string>&)>& still_fails) {
  std::size_t parts = 2;
  while (all.size() > 1 && parts <= all.size()) {
    bool smaller = false;
    for (std::size_t part = 0; part < parts && !smaller; ++part) {
      const auto begin = static_cast<std::ptrdiff_t>(all.size() * part / parts);
      const auto end = static_cast<std::ptrdiff_t>(all.size() * (part + 1) / parts);
      std::vector<std::string> rest = all;
      rest.erase(rest.begin() + begin, rest.begin() + end);
      if (rest.empty() || !still_fails(rest)) continue;
      all = std::move(rest);
      smaller = true;
    }
    parts = smaller               ? std::max<std::size_t>(2, parts - 1)
            : parts == all.size() ? parts + 1
                                  : std::min(parts * 2, all.size());
  }
  return all;
}

Result<NoiseMinimum> minimise_noise(const FreeCampaignRequest& base, const ProgramImage& image,
                                    const std::string& file) {
  NoiseMinimum out;
  FreeCampaignRequest request = base;
  request.until_failure = false;
  auto first = run_free_campaign(request, image);
  if (!first) return tl::make_unexpected(first.error());
  out.runs = out.runs_left = first->report.runs;
  out.failed = out.failed_left = first->report.failed;
  for (const auto& [place, count] : first->report.injected.by_place) out.all.push_back(place);
  // Code without lines cannot be listed.
  std::erase_if(out.all, [](const std::string& place) { return place.find(':') == std::string::npos; });
  out.places = out.all;
  if (out.failed == 0 || out.all.empty()) return out;
  request.noise.placement = FreePlacement::kFile;
  request.noise.places_file = file;
  request.runs = base.runs + 1;  // the first one learns where the places are
  std::optional<Error> error;
  const auto still_fails = [&](const std::vector<std::string>& places) {
    out.complete = out.complete && !InterruptGuard::interrupted() && !base.run.deadline.passed();
    if (!out.complete || error) return false;
    if (auto written = write_file(file, list_text(places)); !written) {
      error = written.error();
      return false;
    }
    auto result = run_free_campaign(request, image);
    ++out.steps;
    if (!result) {
      error = result.error();
      return false;
    }
    const bool good = above_half(result->report.failed, result->report.runs, out);
    if (good) {
      out.failed_left = result->report.failed;
      out.runs_left = result->report.runs;
    }
    return good;
  };
  out.places = leave_out(out.all, still_fails);
  if (error) return tl::make_unexpected(*error);
  if (auto written = write_file(file, list_text(out.places)); !written) return tl::make_unexpected(written.error());
  return out;
}

}  // namespace ravel
