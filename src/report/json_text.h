// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The text of a JSON report. Program-controlled text may be any bytes: what is not UTF-8 is replaced, never thrown at.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ravel {

template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ravel
