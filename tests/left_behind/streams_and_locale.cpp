// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// C++ streams, their formats, and the global locale.
//
// isolation: repeat
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>

#include "left_behind.h"

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

int main() {
  std::ostringstream before;
  before << 1.5;
  assert(before.str() == "1.5" && (std::cout.flags() & std::ios::hex) == 0);
  std::locale::global(std::locale(std::locale(), new Comma));
  std::cout << std::hex << 255 << std::setw(9) << "end" << std::endl;
  in_two_threads([](int) {
    std::ostringstream text;
    text << 2.5;
    assert(text.str() == "2,5");
  });
  std::cout << "not flushed";
}
