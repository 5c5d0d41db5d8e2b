// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/formats/space_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/formats/escape.h"

namespace ravel {
namespace {

constexpr unsigned kLane = 130;
constexpr unsigned kRow = 26;
constexpr unsigned kTop = 46;
constexpr unsigned kLeft = 70;

struct Lanes {
  std::vector<std::string> names;
  std::map<std::string, unsigned> at;
  void add(const std::string& name) {
    if (!name.empty() && at.try_emplace(name, static_cast<unsigned>(names.size())).second) names.push_back(name);
  }
};

std::string line(unsigned x1, unsigned y1, unsigned x2, unsigned y2, const char* style) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", x1, y1, x2, y2, style);
}
std::string dot(unsigned x, unsigned y, const char* style) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4\" class=\"{}\"/>\n", x, y, style);
}
std::string text(unsigned x, unsigned y, const char* style, const std::string& words) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, style, xml_escaped(words));
}

constexpr char kStyle[] =
    "<style>text{font:12px sans-serif;fill:#222}.head{font-weight:bold;text-anchor:middle}.note{fill:#777}"
    "line{stroke:#bbb}.join{stroke:#2a6fb0}.next{stroke:#b0542a;stroke-dasharray:4 3}.thread{fill:#2a6fb0}"
    ".object{fill:#b0542a}</style>\n";

}  // namespace

std::string space_time_svg(const std::vector<SynEvent>& events, const std::vector<std::string>& notes) {
  Lanes threads;
  Lanes objects;
  for (const SynEvent& event : events) {
    threads.add(event.thread);
    objects.add(event.object);
  }
  const auto thread_x = [&](const SynEvent& event) { return kLeft + kLane * threads.at[event.thread]; };
  const auto object_x = [&](const SynEvent& event) {
    return kLeft + kLane * (static_cast<unsigned>(threads.names.size()) + objects.at[event.object]);
  };
  const auto lanes = static_cast<unsigned>(threads.names.size() + objects.names.size());
  const unsigned bottom = kTop + kRow * static_cast<unsigned>(events.size() + 1);
  std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n",
                                kLeft + kLane * lanes + 320, bottom + 20);
  out += kStyle;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned x = kLeft + kLane * lane;
    const bool thread = lane < threads.names.size();
    out += line(x, kTop, x, bottom, "lane");
    out += text(x, kTop - 14, "head", thread ? threads.names[lane] : objects.names[lane - threads.names.size()]);
  }
  std::map<std::string, std::size_t> last;  // of each object
  for (std::size_t i = 0; i < events.size(); ++i) {
    const SynEvent& event = events[i];
    const unsigned y = kTop + kRow * static_cast<unsigned>(i + 1);
    if (!event.object.empty()) {
      const auto before = last.find(event.object);
      if (before != last.end() && events[before->second].thread != event.thread) {
        out +=
            line(object_x(event), kTop + kRow * static_cast<unsigned>(before->second + 1), thread_x(event), y, "next");
      }
      last[event.object] = i;
      out += line(thread_x(event), y, object_x(event), y, "join");
      out += dot(object_x(event), y, "object");
    }
    out += dot(thread_x(event), y, "thread");
    const unsigned beside = kLeft + kLane * (lanes == 0 ? 0 : lanes - 1) + 16;
    out += text(beside, y + 4, "what", fmt::format("{} {}", i + 1, event_text(event)));
    if (i < notes.size()) out += text(beside, y + 4 + 12, "note", notes[i]);
  }
  return out + "</svg>\n";
}

}  // namespace ravel
