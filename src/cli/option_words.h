// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the values of options can be, from the tables that define them: for completion.
#pragma once

#include <string>
#include <vector>

namespace ravel {

std::vector<std::string> strategy_words();
std::vector<std::string> policy_words();
std::vector<std::string> points_words();
std::vector<std::string> class_words();
std::vector<std::string> timeout_words();
std::vector<std::string> volatile_words();
std::vector<std::string> waiter_words();
std::vector<std::string> fault_words();
std::vector<std::string> detector_words();
std::vector<std::string> isolation_words();
std::vector<std::string> format_words();  // those with a file end in `='
std::vector<std::string> color_words();

}  // namespace ravel
