// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The HTML report's page, made at build time from share/html: pieces in order, with the data between two of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace ravel {

extern const std::string_view kPageParts[];
extern const std::size_t kPagePartCount;
extern const std::size_t kPageHole;  // the data goes before this piece

}  // namespace ravel
