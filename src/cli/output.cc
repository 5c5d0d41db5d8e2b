// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "driver/plan_store.h"
#include "model/text/words.h"
#include "report/formats/escape.h"

namespace ravel {

Result<void> write_output(const std::string& path, const std::string& text) {
  if (path != "-") return write_file(path, text);
  fmt::print("{}", text);
  return {};
}

Style style_for(ColorMode mode, int descriptor) {
  if (mode != ColorMode::kAuto) return {mode == ColorMode::kAlways};
  const char* no_color = std::getenv("NO_COLOR");
  return {isatty(descriptor) != 0 && (no_color == nullptr || *no_color == 0)};
}

std::size_t terminal_width(int descriptor) {
  constexpr std::uint32_t kWidest = 1000;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  return columns == nullptr ? 0 : number_of<std::uint32_t>(columns, kWidest).value_or(0);
}

std::string test_environment() {
  std::string words;
  for (const char* name : {"GTEST_FILTER", "GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) words += fmt::format("{}={} ", name, shell_word(value));
  }
  return words;
}

}  // namespace ravel
