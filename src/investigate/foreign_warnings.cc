// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/foreign_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "model/text/path_text.h"
#include "statics/site_graph.h"
#include "statics/warning_sequences.h"

namespace ravel {
namespace {

class Translator {
 public:
  explicit Translator(const Facts& facts) : facts_(facts) {}

  WarningToConfirm translate(const ForeignWarning& foreign) {
    WarningToConfirm out;
    out.kind = foreign.kind;
    out.text = foreign.text;
    std::vector<std::vector<unsigned>> sites;  // that each stack may be at
    for (const std::vector<CodePlace>& stack : foreign.stacks) {
      const CodePlace* place = place_in(stack, foreign.kind == "lock order");
      if (place == nullptr) continue;
      out.places.push_back(*place);
      sites.push_back(sites_at(*place, foreign.kind == "lock order"));
    }
    if (foreign.kind == "race" && sites.size() >= 2) add_pairs(sites[0], sites[1], out);
    if (foreign.kind == "race" && sites.size() == 1) add_partners(sites[0], out);
    if (foreign.kind == "lock order" && sites.size() >= 2) add_circle(sites, out);
    if (!foreign.flow.empty()) out.sequences.push_back(flow_of(foreign));
    out.claims = out.sequences.size();  // places alone claim no order
    add_places(out);
    return out;
  }

 private:
  static bool at(const Site& site, const CodePlace& place) {
    return site.place.line == place.line && base_name(site.place.file) == base_name(place.file);
  }

  [[nodiscard]] std::vector<unsigned> sites_at(const CodePlace& place, bool locks) const {
    std::vector<unsigned> found;
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const bool fits =
          locks ? facts_.sites[i].kind == SiteKind::kLock : facts_.sites[i].kind <= SiteKind::kAtomicWrite;
      if (fits && at(facts_.sites[i], place)) found.push_back(i);
    }
    return found;
  }

  // The innermost frame that is an operation of the program's own code; else one that is its code at all.
  [[nodiscard]] const CodePlace* place_in(const std::vector<CodePlace>& stack, bool locks) const {
    for (const CodePlace& place : stack) {
      if (!sites_at(place, locks).empty()) return &place;
    }
    for (const CodePlace& place : stack) {
      const bool code = std::any_of(facts_.graph.nodes.begin(), facts_.graph.nodes.end(), [&](const GraphNode& node) {
        return node.place.line == place.line && base_name(node.place.file) == base_name(place.file);
      });
      if (code) return &place;
    }
    return nullptr;
  }

  void add(const StaticWarning& warning, WarningToConfirm& out) const {
    for (LocationSequence& sequence : sequences_of(facts_, warning)) {
      const std::string text = sequence_text(sequence);
      const bool known = std::any_of(out.sequences.begin(), out.sequences.end(),
                                     [&](const LocationSequence& other) { return sequence_text(other) == text; });
      if (!known && out.sequences.size() < kMostSequences) out.sequences.push_back(std::move(sequence));
    }
  }
  void add_pairs(const std::vector<unsigned>& first, const std::vector<unsigned>& second, WarningToConfirm& out) const {
    for (const unsigned a : first) {
      for (const unsigned b : second) {
        const bool conflict = is_write(facts_.sites[a]) || is_write(facts_.sites[b]);
        if (conflict && share_a_name(facts_.sites[a].objects, facts_.sites[b].objects)) add({"race", "", {a, b}}, out);
      }
    }
  }
  // The tool names one side only: all pairs of the facts that the site is in.
  void add_partners(const std::vector<unsigned>& sites, WarningToConfirm& out) const {
    for (const SitePair& pair : facts_.pairs) {
      const bool meant = std::find(sites.begin(), sites.end(), pair.first) != sites.end() ||
                         std::find(sites.begin(), sites.end(), pair.second) != sites.end();
      if (!meant || pair.kind != PairKind::kRW) continue;
      if (out.places.size() < 2) {
        const bool first = std::find(sites.begin(), sites.end(), pair.first) != sites.end();
        out.places.push_back(facts_.sites[first ? pair.second : pair.first].place);
      }
      add({"race", "", {pair.first, pair.second}}, out);
    }
  }
  void add_circle(const std::vector<std::vector<unsigned>>& sites, WarningToConfirm& out) const {
    StaticWarning warning{"lock order", "", {}};
    for (const std::vector<unsigned>& list : sites) {
      if (list.empty()) return;
      warning.sites.push_back(list.back());
    }
    add(warning, out);
    // Where facts know the circle its outer locks are known for certain.
    for (const StaticWarning& known : facts_.warnings) {
      if (known.kind != "lock order") continue;
      const bool same = std::all_of(known.sites.begin(), known.sites.end(), [&](unsigned site) {
        return std::any_of(out.places.begin(), out.places.end(),
                           [&](const CodePlace& place) { return at(facts_.sites[site], place); });
      });
      if (same) add(known, out);
    }
  }

  static SequencePlace place_as_step(const CodePlace& place, unsigned role) {
    SequencePlace step;
    step.place = {place.file, place.line, 0};
    step.role = role;
    step.text = fmt::format("{}:{}", base_name(place.file), place.line);
    if (role != 0) step.text += fmt::format("@{}", static_cast<char>('A' + role - 1));
    return step;
  }
  static LocationSequence flow_of(const ForeignWarning& foreign) {
    LocationSequence sequence;
    for (const auto& [place, thread] : foreign.flow) {
      sequence.push_back(place_as_step(place, thread < kMaxGoalRoles ? thread : 0));
    }
    return sequence;
  }
  // Both orders of the places as they are.
  static void add_places(WarningToConfirm& out) {
    if (out.places.empty() || out.sequences.size() >= kMostSequences) return;
    LocationSequence one;
    for (const CodePlace& place : out.places) {
      const auto role = static_cast<unsigned>(one.size()) + 1;
      one.push_back(place_as_step(place, out.places.size() == 1 || role >= kMaxGoalRoles ? 0 : role));
    }
    LocationSequence other(one.rbegin(), one.rend());
    out.sequences.push_back(std::move(one));
    if (other.size() > 1) out.sequences.push_back(std::move(other));
  }

  static constexpr std::size_t kMostSequences = 12;

  const Facts& facts_;
};

}  // namespace

Result<ForeignWarnings> read_foreign_warnings(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return usage_error("cannot read the warnings", file);
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() != 0) {
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostForeignBytes) return usage_error("the file of warnings is too large", file);
  }
  ForeignWarnings warnings = read_any_warnings(text);
  warnings.path = file;
  if (!warnings.warnings.empty()) return warnings;
  if (warnings.format.empty()) return usage_error("the file of warnings is empty", file);
  return usage_error("no warnings found", fmt::format("{} (read as {})", file, warnings.format),
                     warnings.notes.empty() ? "" : warnings.notes[0]);
}

std::vector<WarningToConfirm> to_confirm(const ForeignWarnings& foreign, const Facts& facts) {
  Translator translator(facts);
  std::vector<WarningToConfirm> out;
  for (const ForeignWarning& warning : foreign.warnings) out.push_back(translator.translate(warning));
  return out;
}

}  // namespace ravel
