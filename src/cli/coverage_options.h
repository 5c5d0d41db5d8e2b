// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Values of the options about coverage. Each yields what is wrong, or nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/coverage_data.h"

namespace ravel {

std::string set_metrics(std::uint32_t& metrics, const std::string& list);
// "threads=type,n=10,objects=real"
std::string set_identity(CoverageRequest& request, const std::string& list);
// "1%", "0.5%", "0.01"; "default".
std::string set_saturation(double& chance, const std::string& value);
std::vector<std::string> metric_words();

}  // namespace ravel
