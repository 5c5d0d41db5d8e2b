// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs counted by threads instead of classes, once it is known how many threads a class has: the numbers of the
// literature.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/text/result.h"
#include "statics/facts.h"

namespace ravel {

struct ClassInstances {
  std::string name;  // of the class
  std::uint32_t threads = 1;
};

// "T1=5,T2=4"
Result<std::vector<ClassInstances>> parse_instances(std::string_view text);

// By kind of pair; a class that is not named has one thread. Two threads of one class meet at two sites in two ways, at
// one site in one.
Result<std::array<std::uint64_t, 4>> pairs_of_threads(const Facts& facts, const std::vector<ClassInstances>& known);

}  // namespace ravel
