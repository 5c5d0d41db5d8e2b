// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_names.h"

#include <fmt/format.h>

#include <filesystem>

#include "report/names.h"

namespace ravel {

FreeNames::FreeNames(const FreeRecord& record, Symbolizer& symbolizer) : record_(record), symbolizer_(symbolizer) {
  for (std::size_t slot = 0; slot < record.modules.size(); ++slot) {
    symbolizer.set_module(static_cast<unsigned>(slot), text_of(record.modules[slot].path), record.modules[slot].base);
  }
  std::error_code error;
  cwd_ = std::filesystem::current_path(error).string();
}

SourcePlace FreeNames::describe(const Frame& frame) const {
  SourcePlace place;
  place.function = frame.function;
  if (frame.file.empty() || frame.line == 0) {
    place.text = frame.function.empty() ? "unknown code" : frame.function;
    return place;
  }
  place.file = frame.file;
  place.path = short_path(frame.file, cwd_);
  place.line = frame.line;
  place.column = frame.column;
  place.text = fmt::format("{}:{}", place.path, frame.line);
  return place;
}

SourcePlace FreeNames::place(const std::vector<std::uint64_t>& frames) {
  const Frame* first = nullptr;
  for (const std::uint64_t pc : frames) {
    const LocationId location = record_.location_of(pc);
    if (location == kNoLocation) continue;
    for (const Frame& frame : symbolizer_.frames(location)) {
      if (frame.line != 0 && !frame.in_system_header) return describe(frame);
      if (first == nullptr) first = &frame;
    }
  }
  return first != nullptr ? describe(*first)
                          : SourcePlace{.text = "unknown place", .file = {}, .path = {}, .function = {}};
}

std::string FreeNames::thread_name(std::uint32_t thread) const {
  if (thread == 0 || thread >= record_.threads.size()) return "main";
  const FreeThreadRecord& one = record_.threads[thread];
  if (one.parent >= thread) return fmt::format("T{}", thread);
  return fmt::format("{}.{}", thread_name(one.parent), one.number);
}

}  // namespace ravel
