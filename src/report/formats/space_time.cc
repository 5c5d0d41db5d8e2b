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
constexpr unsigned kLetter = 7;  // about as wide as one is

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
    ".what{fill:#222}line{stroke:#bbb}.join{stroke:#2a6fb0;marker-end:url(#to)}"
    ".next{stroke:#b0542a;stroke-dasharray:4 3}.waits{stroke:#a33;stroke-dasharray:2 4;marker-end:url(#to)}"
    ".thread{fill:#2a6fb0}.object{fill:#b0542a}.stuck{fill:#a33}</style>\n"
    "<defs><marker id=\"to\" viewBox=\"0 0 10 10\" refX=\"14\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" "
    "orient=\"auto\"><path d=\"M0 0 10 5 0 10z\" fill=\"#555\"/></marker></defs>\n"
    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";

class Diagram {
 public:
  Diagram(const std::vector<SynEvent>& events, const std::vector<SynEvent>& waiting,
          const std::vector<std::string>& notes)
      : events_(events), waiting_(waiting), notes_(notes) {
    for (const std::vector<SynEvent>* const list : {&events, &waiting}) {
      for (const SynEvent& event : *list) threads_.add(event.thread);
      for (const SynEvent& event : *list) objects_.add(event.object);
    }
  }

  std::string draw() {
    for (std::size_t i = 0; i < events_.size(); ++i) add_event(i);
    for (std::size_t i = 0; i < waiting_.size(); ++i) add_waiting(waiting_[i], row(events_.size() + i));
    const unsigned bottom = row(events_.size() + waiting_.size());
    std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n",
                                  beside() + kLetter * longest_ + 20, bottom + 20);
    out += kStyle;
    for (unsigned lane = 0; lane < lanes(); ++lane) {
      const unsigned x = kLeft + kLane * lane;
      const std::size_t threads = threads_.names.size();
      out += line(x, kTop, x, bottom, "lane");
      out += text(x, kTop - 14, "head", lane < threads ? threads_.names[lane] : objects_.names[lane - threads]);
    }
    return out + body_ + "</svg>\n";
  }

 private:
  static unsigned row(std::size_t number) { return kTop + kRow * static_cast<unsigned>(number + 1); }
  [[nodiscard]] unsigned lanes() const { return static_cast<unsigned>(threads_.names.size() + objects_.names.size()); }
  [[nodiscard]] unsigned beside() const { return kLeft + kLane * (lanes() == 0 ? 0 : lanes() - 1) + 16; }
  unsigned thread_x(const SynEvent& event) { return kLeft + kLane * threads_.at[event.thread]; }
  unsigned object_x(const SynEvent& event) {
    return kLeft + kLane * (static_cast<unsigned>(threads_.names.size()) + objects_.at[event.object]);
  }
  void say(unsigned y, const char* style, const std::string& words) {
    longest_ = std::max(longest_, static_cast<unsigned>(words.size()));
    body_ += text(beside(), y, style, words);
  }

  void add_event(std::size_t i) {
    const SynEvent& event = events_[i];
    const unsigned y = row(i);
    if (!event.object.empty()) {
      const auto before = last_.find(event.object);
      if (before != last_.end() && events_[before->second].thread != event.thread) {
        body_ += line(object_x(event), row(before->second), thread_x(event), y, "next");
      }
      last_[event.object] = i;
      body_ += line(thread_x(event), y, object_x(event), y, "join");
      body_ += dot(object_x(event), y, "object");
    }
    body_ += dot(thread_x(event), y, "thread");
    say(y + 4, "what", fmt::format("{} {}", i + 1, event_text(event)));
    if (i < notes_.size() && !notes_[i].empty()) say(y + 4 + 12, "note", notes_[i]);
  }

  void add_waiting(const SynEvent& event, unsigned y) {
    if (!event.object.empty()) body_ += line(thread_x(event), y, object_x(event), y, "waits");
    body_ += dot(thread_x(event), y, "stuck");
    say(y + 4, "what", fmt::format("{} never comes", event_text(event)));
  }

  const std::vector<SynEvent>& events_;
  const std::vector<SynEvent>& waiting_;
  const std::vector<std::string>& notes_;
  Lanes threads_;
  Lanes objects_;
  std::map<std::string, std::size_t> last_;  // event of each object
  unsigned longest_ = 0;                     // text, in letters
  std::string body_;
};

}  // namespace

std::string space_time_svg(const std::vector<SynEvent>& events, const std::vector<SynEvent>& waiting,
                           const std::vector<std::string>& notes) {
  return Diagram(events, waiting, notes).draw();
}

}  // namespace ravel
