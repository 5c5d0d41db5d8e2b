// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/formats/escape.h"

namespace ravel {
namespace {

constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kMark = 2;         // "* " before decisive lines
constexpr std::size_t kLeastColumn = 5;  // between the beginnings of two threads' columns
constexpr std::size_t kMostColumn = 30;
constexpr std::size_t kLeastText = 26;  // for the last thread
constexpr std::string_view kFails = " <-- fails here";
constexpr std::size_t kFailsShort = 4;
constexpr std::size_t kLeastOperation = 10;

std::string label_of(ThreadIndex thread) {
  return fmt::format("T{}", thread);
}

// The end of a path says more than its beginning.
std::string keep_end(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  std::size_t start = text.size() - (width <= 3 ? width : width - 3);
  while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) ++start;  // whole characters
  return (width <= 3 ? "" : "...") + text.substr(start);
}

std::string file_of(const std::string& place) {
  return place.substr(0, place.rfind(':'));
}

// Files outside the present folder, each by as much of its end as no other file of the table has.
class ShortFiles {
 public:
  explicit ShortFiles(const std::vector<InterleavingLine>& lines) {
    std::set<std::string> files;
    for (const InterleavingLine& line : lines) {
      if (!line.gap) files.insert(file_of(line.place));
    }
    for (const std::string& file : files) {
      if (!file.starts_with('/')) continue;
      std::size_t start = file.size();
      bool unique = false;
      while (!unique && start != 0) {
        start = file.rfind('/', start - 1);
        unique = std::none_of(files.begin(), files.end(), [&](const std::string& other) {
          return other != file && ("/" + other).ends_with(file.substr(start));
        });
      }
      if (unique) short_[file] = file.substr(start + 1);
    }
  }

  [[nodiscard]] std::string place(const std::string& place) const {
    const auto known = short_.find(file_of(place));
    return known == short_.end() ? place : known->second + place.substr(known->first.size());
  }

 private:
  std::map<std::string, std::string> short_;
};

// Operation and value stay, the object is shortened.
std::string event_text(const InterleavingLine& line, std::size_t width) {
  const std::size_t others = line.operation.size() + (line.value.empty() ? 0 : line.value.size() + 1);
  std::string text = line.operation;
  if (!line.object.empty() && others + 5 < width)
    text += " " + keep_end(short_object_name(line.object), width - others - 1);
  if (!line.value.empty()) text += " " + line.value;
  return shortened(text, width);
}

class Layout {
 public:
  Layout(const std::vector<InterleavingLine>& lines, std::size_t width)
      : width_(std::max(width, kLeastWidth)), files_(lines) {
    for (const InterleavingLine& line : lines) {
      if (line.gap) continue;
      place_ = std::max(place_, files_.place(line.place).size());
      if (std::find(threads_.begin(), threads_.end(), line.thread) == threads_.end()) threads_.push_back(line.thread);
    }
    std::sort(threads_.begin(), threads_.end());
    place_ = std::min(place_, std::max<std::size_t>(width_ / 4, 12));
    const std::size_t left = width_ - std::min(width_, first());
    if (threads_.size() > 1 && left > kLeastText) {
      column_ = std::min((left - kLeastText) / (threads_.size() - 1), kMostColumn);
    }
    if (threads_.size() > 1 && column_ < kLeastColumn) column_ = 0;  // too many for this width
  }

  [[nodiscard]] bool has_columns() const { return threads_.size() == 1 || column_ != 0; }
  [[nodiscard]] const std::vector<ThreadIndex>& threads() const { return threads_; }
  [[nodiscard]] std::size_t number(ThreadIndex thread) const {
    return static_cast<std::size_t>(std::lower_bound(threads_.begin(), threads_.end(), thread) - threads_.begin());
  }
  [[nodiscard]] std::size_t first() const { return kMark + place_ + 2; }
  [[nodiscard]] std::size_t column() const { return column_; }
  [[nodiscard]] std::string place(const InterleavingLine& line) const {
    return fmt::format("{:<{}}", keep_end(files_.place(line.place), place_), place_);
  }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  ShortFiles files_;
  std::size_t place_ = 0;
  std::size_t column_ = 0;
  std::vector<ThreadIndex> threads_;
};

}  // namespace

std::string short_object_name(const std::string& object) {
  constexpr std::string_view kBegin = "local '";
  const std::size_t end = object.find('\'', kBegin.size());
  const std::size_t of = object.find(" of T", end == std::string::npos ? 0 : end);
  if (!object.starts_with(kBegin) || end == std::string::npos || of == std::string::npos) return object;
  return object.substr(kBegin.size(), end - kBegin.size()) + object.substr(end + 1, of - end - 1);
}

std::string interleaving_columns(const std::vector<InterleavingLine>& lines, const Style& style, std::size_t width) {
  const Layout layout(lines, width == 0 ? kDefaultWidth : width);
  std::size_t label_width = 2;
  for (const ThreadIndex thread : layout.threads()) label_width = std::max(label_width, label_of(thread).size());
  std::string text;
  if (layout.has_columns()) {
    text += std::string(layout.first(), ' ');
    for (const ThreadIndex thread : layout.threads()) {
      const auto number = static_cast<unsigned>(layout.number(thread));
      const std::string label = label_of(thread);
      text += style.thread(label, number);
      const bool last = number + 1 == layout.threads().size();
      if (!last) text += std::string(std::max(layout.column(), label.size() + 1) - label.size(), ' ');
    }
    text += "\n";
  }
  for (const InterleavingLine& line : lines) {
    if (line.gap) {
      text += style.faint(event_text(line, layout.width() - kMark).insert(0, kMark, ' ')) + "\n";
      continue;
    }
    const std::size_t number = layout.number(line.thread);
    const std::string place = layout.place(line);
    std::string before;
    std::size_t used = layout.first();
    if (layout.has_columns()) {
      for (std::size_t i = 0; i < number; ++i) before += fmt::format("{:<{}}", "|", layout.column());
      used += before.size();
    } else {
      before = style.thread(fmt::format("{:<{}} ", label_of(line.thread), label_width), static_cast<unsigned>(number));
      used += label_width + 1;
    }
    const std::size_t left = layout.width() - std::min(layout.width(), used);
    std::string_view fails = line.failing ? kFails : "";
    if (fails.size() + kLeastOperation > left) fails = fails.substr(0, kFailsShort);
    const std::string what = event_text(line, std::max(left - std::min(left, fails.size()), kLeastOperation));
    text += fmt::format("{}{}  {}{}{}\n", line.decisive ? style.bad("* ") : "  ", place,
                        layout.has_columns() ? style.faint(before) : before,
                        style.thread(what, static_cast<unsigned>(number)), fails.empty() ? "" : style.bad(fails));
  }
  return text;
}

}  // namespace ravel
