// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether a text names a strategy and parameters that it takes.
#pragma once

#include <string>

namespace ravel {

// Empty when the strategy exists and takes these parameters; else what is wrong, with near names.
std::string check_strategy(const std::string& text);

}  // namespace ravel
