// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Places as users write them: "bank.cpp:12" or "src/bank.cpp:12:5", the file by the end of its path.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/text/result.h"
#include "statics/code_graph.h"

namespace ravel {

std::optional<CodePlace> parse_place(const std::string& word);
// The nodes at a place. An error names the lines with code that are nearest.
Result<std::vector<unsigned>> find_nodes(const CodeGraph& graph, const std::string& word);

}  // namespace ravel
