// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The rows of the table in format.cc, one file each.
#pragma once

#include <string>

#include "report/formats/format.h"

namespace ravel {

std::string sarif_format(const ReportView& report);
std::string junit_format(const ReportView& report);
std::string github_format(const ReportView& report);
std::string perfetto_format(const ReportView& report);
std::string html_format(const ReportView& report);

}  // namespace ravel
