// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ravel.toml: options of commands in a file of the project. A section a command, keys named as the options:
//   [run]
//   iterations = 50000
//   detect = ["default", "avio"]
// The whole file is checked whichever command reads it, so that a mistake does not wait for its command. File names are
// relative to the folder of the file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options.h"

namespace ravel {

inline constexpr char kConfigFile[] = "ravel.toml";

// The file in `folder` or the nearest one above; empty: there is none. An error for one that another user has left in
// a folder in which everybody may write.
Result<std::string> find_config_file(const std::string& folder);

// What the file says about `command`. `pages` are all commands.
Result<std::vector<GivenOption>> read_config_file(const std::string& path, std::string_view command,
                                                  std::span<const CommandPage> pages);
// The same of a text; `folder` is put before relative file names unless it is empty.
Result<std::vector<GivenOption>> parse_config(std::string_view text, const std::string& name, const std::string& folder,
                                              std::string_view command, std::span<const CommandPage> pages);

}  // namespace ravel
