// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the machine offers that Ravel uses, each as one answer for `ravel doctor`.
#pragma once

#include <string>
#include <vector>

namespace ravel {

enum class Health { kGood, kWarning, kBad };

struct Check {
  Health health = Health::kGood;
  std::string what;
  std::string answer;
};

std::vector<Check> check_machine();

}  // namespace ravel
