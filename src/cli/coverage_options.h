// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Values of the options about coverage; each setter yields what is wrong, or nothing. The rows that `run` and `replay`
// have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.h"
#include "driver/coverage_data.h"

namespace ravel {

std::string set_metrics(std::uint32_t& metrics, const std::string& list);
// "threads=type,n=10,objects=real"
std::string set_identity(CoverageRequest& request, const std::string& list);
// "1%", "0.5%", "0.01"; "default".
std::string set_saturation(double& chance, const std::string& value);
// A list of functions, or "@FILE".
std::string set_coverage_jobs(std::vector<std::string>& jobs, const std::string& value);
std::vector<std::string> metric_words();

template <class Options>
inline constexpr OptionRow<Options> kMetricsRow = {
    "--coverage", "NAME,...", "measure concurrency coverage: names of metrics, default or all (see `ravel list')",
    [](Options& o, const std::string& v) { return set_metrics(o.coverage.metrics, v); }, metric_words};
template <class Options>
inline constexpr OptionRow<Options> kIdentityRow = {
    "--coverage-identity", "K=V,...",
    "how tasks distinguish threads and objects: threads=abstract|type|real, n=N, objects=abstract|type|real",
    [](Options& o, const std::string& v) { return set_identity(o.coverage, v); }};
template <class Options>
inline constexpr OptionRow<Options> kCoverageJobsRow = {
    "--coverage-jobs", "NAME,...",
    "functions whose calls begin a job of a pool's thread, `*' for any text (`@FILE': one per line)",
    [](Options& o, const std::string& v) { return set_coverage_jobs(o.coverage_jobs, v); }};

}  // namespace ravel
