// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Strongly connected components of a graph of numbers (Tarjan, without recursion): a component comes after all that it
// reaches.
#pragma once

#include <functional>
#include <vector>

namespace ravel {

std::vector<std::vector<unsigned>> strong_components(
    std::size_t count, const std::function<bool(unsigned)>& wanted,
    const std::function<void(unsigned, std::vector<unsigned>&)>& neighbours);

}  // namespace ravel
