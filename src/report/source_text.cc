// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/source_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "symbols/symbolizer.h"

namespace ravel {
namespace {

// Regular files only: a name in debug information may be that of a device or a pipe.
std::string read_regular(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return {};
  struct stat about {};
  std::string text;
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
      static_cast<std::size_t>(about.st_size) <= kMaxSourceBytes) {
    text.resize(static_cast<std::size_t>(about.st_size));
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = read(descriptor, text.data() + done, text.size() - done);
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    text.resize(done);
  }
  close(descriptor);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::vector<TimelineFile> source_files(const std::vector<SourcePlace>& places) {
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> used;  // first and last line
  for (const SourcePlace& place : places) {
    if (place.file.empty() || place.line == 0 || is_system_path(place.file)) continue;
    const auto [entry, fresh] = used.try_emplace(place.file, place.line, place.line);
    entry->second.first = std::min(entry->second.first, place.line);
    entry->second.second = std::max(entry->second.second, place.line);
  }
  std::vector<TimelineFile> files;
  std::size_t budget = 4 * kMaxSourceBytes;
  for (const auto& [path, range] : used) {
    TimelineFile file;
    file.path = path;
    const std::string text = read_regular(path);
    if (text.size() <= budget) {
      budget -= text.size();
      file.lines = lines_of(text);
    }
    if (file.lines.size() > kMaxWholeFileLines && range.first <= file.lines.size()) {
      const std::size_t from = range.first > kLinesAround ? range.first - kLinesAround - 1 : 0;
      const std::size_t to = std::min(file.lines.size(), range.second + kLinesAround);
      file.lines = std::vector<std::string>(file.lines.begin() + static_cast<std::ptrdiff_t>(from),
                                            file.lines.begin() + static_cast<std::ptrdiff_t>(to));
      file.first_line = static_cast<std::uint32_t>(from) + 1;
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace ravel
