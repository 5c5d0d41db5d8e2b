// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <ravel/catch2.h>

#include "account.h"

RAVEL_TEST_CASE("one deposit", "[account]") {
  CHECK(balance_after_one_deposit() == 10);
}

RAVEL_TEST_CASE("two deposits", "[account]") {
  const int balance = balance_after_two_deposits();
  REQUIRE(balance == 15);  // here: explored
}

RAVEL_TEST_CASE("two deposits, checked") {
  const int balance = balance_after_two_deposits();
  CHECK(balance == 15);  // here: checked
}

TEST_CASE("plain two deposits") {
  REQUIRE(balance_after_two_deposits() == 15);  // here: plain
}

RAVEL_TEST_CASE("sections", "[.]") {
  SECTION("one") {}  // here: section
}
