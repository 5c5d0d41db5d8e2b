// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The code graph inside a facts file (docs/facts-format.md): short names, lists of numbers, what is empty is left out.
#pragma once

#include <nlohmann/json.hpp>

#include "statics/code_graph.h"

namespace ravel {

nlohmann::ordered_json graph_to_json(const CodeGraph& graph);
// Throws facts_fields::WrongField.
CodeGraph graph_from_json(const nlohmann::ordered_json& json, std::size_t classes);

}  // namespace ravel
