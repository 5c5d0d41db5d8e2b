// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Program-controlled text made safe for each format. Names may hold any bytes and be megabytes long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/text/printable.h"

namespace ravel {

// At most `limit` bytes, cut between characters, with "..." at the end.
std::string shortened(std::string_view text, std::size_t limit);
// A word of a command line: in quotes where a shell would not take it as it is, without what a terminal obeys.
std::string shell_word(std::string_view text);
// For text and attributes of XML 1.0: characters that XML forbids are left out.
std::string xml_escaped(std::string_view text);
// For the text of a GitHub workflow command, and for one of its properties.
std::string github_text(std::string_view text);
std::string github_property(std::string_view text);
// A path as the reference of a URI: what RFC 3986 does not allow is percent-encoded.
std::string uri_path(std::string_view path);
// JSON for a <script> element of HTML: nothing in it can end the element or begin a comment.
std::string json_in_html(std::string_view json);

// What a line of a report shows of a name at most.
inline constexpr std::size_t kShownText = 4000;
inline constexpr std::size_t kShownName = 200;

}  // namespace ravel
