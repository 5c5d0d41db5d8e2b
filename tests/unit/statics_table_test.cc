// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts as a flat table: what a worker reads out of the bytes is what the tool put in.
#include <gtest/gtest.h>

#include <cstring>

#include "statics/facts_table.h"
#include "wire/facts_table.h"

namespace ravel {
namespace {

Site site(unsigned thread_class, SiteKind kind, unsigned line) {
  Site one;
  one.thread_class = thread_class;
  one.kind = kind;
  one.place = {"/a.cpp", line, 3};
  return one;
}

// A race of lines 10 and 20, a lock of line 30, a read of line 40 that is in no pair.
Facts facts() {
  Facts facts;
  facts.classes.resize(3);
  facts.sites = {site(1, SiteKind::kRead, 10), site(2, SiteKind::kWrite, 20), site(1, SiteKind::kLock, 30),
                 site(1, SiteKind::kRead, 40), site(1, SiteKind::kRead, 50)};
  facts.pairs = {{PairKind::kRW, 0, 1, true, "x"}, {PairKind::kMM, 2, 2, true, "m"}, {PairKind::kRW, 1, 4, true, "x"}};
  facts.warnings = {{"race", "x", {0, 1}}};
  return facts;
}

PlaceMatch match() {
  PlaceMatch match;
  match.places = {{0x100, {SiteKind::kRead}, {}, {}, false, {0}}, {0x200, {SiteKind::kWrite}, {}, {}, false, {1}},
                  {0x300, {SiteKind::kLock}, {}, {}, false, {2}}, {0x400, {SiteKind::kRead}, {}, {}, false, {3}},
                  {0x500, {SiteKind::kRead}, {}, {}, false, {4}}, {0x600, {SiteKind::kRead}, {}, {}, false, {}},
                  {0x700, {SiteKind::kWrite}, {}, {}, false, {1}}};
  return match;
}

class Table {
 public:
  explicit Table(FactPoints points)
      : table_(make_facts_table(facts(), match(), points)), words_(table_.bytes.size() / 4) {
    std::memcpy(words_.data(), table_.bytes.data(), table_.bytes.size());
  }
  [[nodiscard]] StaticFacts view() const {
    const auto* header = reinterpret_cast<const FactsTableHeader*>(words_.data());
    EXPECT_TRUE(is_facts_table(*header, table_.bytes.size()));
    EXPECT_FALSE(is_facts_table(*header, table_.bytes.size() - 4));
    return facts_in(header);
  }

 private:
  FactsTable table_;
  std::vector<std::uint64_t> words_;
};

TEST(FactsTable, IsReadAsItWasMade) {
  const Table table(FactPoints::kPairs);
  const StaticFacts view = table.view();
  EXPECT_EQ(view.places.size(), 6u);  // one has no site
  EXPECT_EQ(view.sites_at(0x200).size(), 1u);
  EXPECT_EQ(view.sites_at(0x200)[0], 1u);
  EXPECT_TRUE(view.sites_at(0x600).empty());
  EXPECT_TRUE(view.sites_at(0x999).empty());
  EXPECT_EQ(view.sites[1].thread_class, 2u);
  ASSERT_EQ(view.partners_of(1).size(), 2u);
  EXPECT_EQ(view.partners_of(1)[0].site, 0u);
  EXPECT_EQ(view.partners_of(1)[1].site, 4u);
  EXPECT_EQ(view.partners_of(2).size(), 1u);  // with itself: once
  EXPECT_TRUE(view.partners_of(3).empty());
}

TEST(FactsTable, PointsAreMembersOfPairsOrPlacesOfWarnings) {
  const auto points = [](FactPoints which) {
    const Table table(which);
    const StaticFacts view = table.view();
    return std::vector<LocationId>(view.points.begin(), view.points.end());
  };
  EXPECT_EQ(points(FactPoints::kPairs), (std::vector<LocationId>{0x100, 0x200, 0x500, 0x700}));
  EXPECT_EQ(points(FactPoints::kWarnings), (std::vector<LocationId>{0x100, 0x200, 0x700}));
  EXPECT_TRUE(points(FactPoints::kNone).empty());
}

// The writes of a race, all of its places together, then those of each line.
TEST(FactsTable, AWarningIsThreeTries) {
  const Table table(FactPoints::kNone);
  const StaticFacts view = table.view();
  ASSERT_EQ(view.tries.size(), 3u);
  const auto places = [&](std::size_t i) {
    std::vector<LocationId> list;
    for (const LocationId location : view.tries[i].at) {
      if (location != 0) list.push_back(location);
    }
    return list;
  };
  EXPECT_EQ(places(0), (std::vector<LocationId>{0x200, 0x700}));
  EXPECT_EQ(places(1), (std::vector<LocationId>{0x100, 0x200, 0x700}));
  EXPECT_EQ(places(2), (std::vector<LocationId>{0x100}));
}

}  // namespace
}  // namespace ravel
