// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/figures.h"

#include <cstdio>
#include <map>
#include <vector>

namespace ravel::bench {
namespace {

std::map<std::string, double>& figures() {
  static std::map<std::string, double> known;
  return known;
}

struct Row {
  std::string what;
  double value;
  double at_most;
  const char* unit;
};

std::vector<Row>& rows() {
  static std::vector<Row> known;
  return known;
}

}  // namespace

void note_figure(const std::string& name, double value) {
  double& known = figures()[name];
  if (known == 0 || value < known) known = value;
}

double figure(const std::string& name) {
  const auto found = figures().find(name);
  return found == figures().end() ? 0 : found->second;
}

void add_goal(const std::string& what, double value, double at_most, const char* unit) {
  if (value > 0) rows().push_back({what, value, at_most, unit});
}

void print_goals() {
  std::printf("\n%-58s %12s %12s\n", "figure", "measured", "goal");
  for (const Row& row : rows()) {
    std::printf("%-58s %9.2f %-2s", row.what.c_str(), row.value, row.unit);
    if (row.at_most > 0) std::printf(" %9.2f %-2s %s", row.at_most, row.unit, row.value <= row.at_most ? "" : "MISSED");
    std::printf("\n");
  }
}

}  // namespace ravel::bench
