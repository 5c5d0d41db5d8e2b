/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Ravel authors
 *
 * Answers as the test programs of three frameworks do when they are asked for their tests; FRAMEWORK says which.
 * Everything in a name that has a meaning somewhere on the way to ctest is in these. */
#include <stdio.h>
#include <string.h>

enum { GTEST = 1, CATCH2 = 2, DOCTEST = 3 };

static const char* const kHelp[] = {"", "  --gtest_list_tests\n", "  --list-test-names-only\n",
                                    "  -ltc, --list-test-cases\n"};
static const char* const kAsked[] = {"", "--gtest_list_tests", "--list-test-names-only", "--list-test-cases"};
static const char* const kAnswer[] = {
    "",
    "Running main() from somewhere\nQueue.\n  Empty\n  DISABLED_Full\nSome/Sizes.\n  Grows/0  # GetParam() = 2\n  "
    "Grows/1  # GetParam() = 4\n"
    "Typed/0.  # TypeParam = int\n  Works\n",
    "plain\ncomma, [brackets]; semicolon\nquote \" back\\slash $dollar ${braces}\n",
    "[doctest] listing all test case names\n=====================\nplain\ncomma, [brackets]; "
    "semicolon\n=====================\n"
    "[doctest] unskipped test cases passing the current filters: 2\n",
};

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) printf("%s", kHelp[FRAMEWORK]);
    if (strcmp(argv[i], kAsked[FRAMEWORK]) == 0) printf("%s", kAnswer[FRAMEWORK]);
    if (strcmp(argv[i], "--more") == 0) printf("  More\n");
    if (strncmp(argv[i], "--gtest_filter=", 15) == 0) printf("Filtered.\n  %s\n", argv[i] + 15);
  }
  return FRAMEWORK == CATCH2 ? 3 : 0;
}
