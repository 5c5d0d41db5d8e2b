// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The interleaving in columns, as a person sees it: whole pictures for a usual and a narrow terminal, and no line that
// is too long, whatever is in it.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "base/random.h"
#include "report/columns.h"

namespace ravel {
namespace {

InterleavingLine event(ThreadIndex thread, const char* place, const char* operation, const char* object,
                       const char* value, bool decisive = false) {
  InterleavingLine line;
  line.thread = thread;
  line.place = place;
  line.operation = operation;
  line.object = object;
  line.value = value;
  line.decisive = decisive;
  return line;
}

InterleavingLine gap(const char* text) {
  InterleavingLine line;
  line.gap = true;
  line.operation = text;
  return line;
}

std::vector<InterleavingLine> story() {
  std::vector<InterleavingLine> lines = {gap("... 4 events of T0"),
                                         event(1, "bank.cpp:12", "read", "balance", "-> 100", true),
                                         event(2, "bank.cpp:12", "read", "balance", "-> 100"),
                                         event(2, "bank.cpp:13", "write", "balance", "= 70", true),
                                         event(1, "bank.cpp:13", "write", "balance", "= 130", true),
                                         event(0, "bank.cpp:31", "assertion", "", "")};
  lines.back().failing = true;
  return lines;
}

TEST(Columns, AThreadAColumn) {
  EXPECT_EQ(interleaving_columns(story(), Style{}, 80),
            "               T0                 T1                 T2\n"
            "  ... 4 events of T0\n"
            "* bank.cpp:12  |                  read balance -> 100\n"
            "  bank.cpp:12  |                  |                  read balance -> 100\n"
            "* bank.cpp:13  |                  |                  write balance = 70\n"
            "* bank.cpp:13  |                  write balance = 130\n"
            "  bank.cpp:31  assertion <-- fails here\n");
}

TEST(Columns, NarrowTerminalsHaveNone) {
  EXPECT_EQ(interleaving_columns(story(), Style{}, 44),
            "  ... 4 events of T0\n"
            "* bank.cpp:12  T1 read balance -> 100\n"
            "  bank.cpp:12  T2 read balance -> 100\n"
            "* bank.cpp:13  T2 write balance = 70\n"
            "* bank.cpp:13  T1 write balance = 130\n"
            "  bank.cpp:31  T0 assertion <-- fails here\n");
}

// Never a path that is cut in the middle of a name: as much of its end as tells files apart.
TEST(Columns, FilesOfOtherFoldersAreAsShortAsTheyAreUnique) {
  const std::vector<InterleavingLine> lines = {event(1, "/opt/project/src/net/queue.cpp:12", "lock", "m", ""),
                                               event(1, "/opt/project/src/disk/queue.cpp:7", "lock", "m", ""),
                                               event(1, "/opt/project/src/main.cpp:3", "lock", "m", ""),
                                               event(1, "tests/main_test.cpp:3", "lock", "m", "")};
  EXPECT_EQ(interleaving_columns(lines, Style{}, 100),
            "                         T1\n"
            "  net/queue.cpp:12       lock m\n"
            "  disk/queue.cpp:7       lock m\n"
            "  main.cpp:3             lock m\n"
            "  tests/main_test.cpp:3  lock m\n");
}

TEST(Columns, ColoursOnlyWhenAsked) {
  EXPECT_EQ(interleaving_columns(story(), Style{}, 80).find('\x1b'), std::string::npos);
  const std::string painted = interleaving_columns(story(), Style{true}, 80);
  EXPECT_NE(painted.find("\x1b["), std::string::npos);
  std::string plain;  // the same picture underneath
  for (std::size_t i = 0; i < painted.size(); ++i) {
    if (painted[i] == '\x1b') {
      i = painted.find('m', i);
    } else {
      plain += painted[i];
    }
  }
  EXPECT_EQ(plain, interleaving_columns(story(), Style{}, 80));
}

TEST(Columns, NoLineIsTooLong) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<InterleavingLine> lines;
    const std::uint64_t threads = 1 + random.below(40);
    for (std::uint64_t i = 0; i < 20; ++i) {
      InterleavingLine line = event(static_cast<ThreadIndex>(random.below(threads)), "", "write", "", "");
      line.place = std::string(random.below(90), 'p') + ":12";
      line.object = std::string(random.below(200), 'o');
      line.value = std::string(random.below(60), 'v');
      line.failing = random.below(10) == 0;
      line.decisive = random.below(2) == 0;
      if (random.below(6) == 0) line = gap(std::string(random.below(300), 'g').c_str());
      lines.push_back(line);
    }
    const std::size_t width = 40 + random.below(160);
    std::istringstream text(interleaving_columns(lines, Style{}, width));
    for (std::string line; std::getline(text, line);) {
      EXPECT_LE(line.size(), width) << line;
    }
  }
}

TEST(Columns, NothingToShow) {
  EXPECT_EQ(interleaving_columns({gap("... 2 events of T0")}, Style{}, 80), "  ... 2 events of T0\n");
}

}  // namespace
}  // namespace ravel
