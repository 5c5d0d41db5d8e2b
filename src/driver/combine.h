// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How two values of one kind become one: sums, extremes, all, any, texts. A way that makes no sense for a type does not
// compile.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace ravel::combine {

struct Sum {
  template <class T>
  requires std::floating_point<T> ||(std::unsigned_integral<T> && !std::same_as<T, bool>)void operator()(
      T& total, const T& one) const {
    total += one;
  }
  template <std::size_t N>
  void operator()(std::array<std::uint64_t, N>& total, const std::array<std::uint64_t, N>& one) const {
    for (std::size_t i = 0; i < N; ++i) total[i] += one[i];
  }
  void operator()(std::vector<std::uint64_t>& total, const std::vector<std::uint64_t>& one) const {
    if (total.size() < one.size()) total.resize(one.size());
    for (std::size_t i = 0; i < one.size(); ++i) total[i] += one[i];
  }
};

struct Most {
  template <std::unsigned_integral T>
  void operator()(T& total, const T& one) const {
    total = std::max(total, one);
  }
};

struct Least {
  template <std::unsigned_integral T>
  void operator()(T& total, const T& one) const {
    total = std::min(total, one);
  }
};

struct All {
  void operator()(bool& total, const bool& one) const { total = total && one; }
};

struct Any {
  void operator()(bool& total, const bool& one) const { total = total || one; }
};

// Sets of bits.
struct Union {
  void operator()(std::uint64_t& total, const std::uint64_t& one) const { total |= one; }
};

struct Append {
  template <class T>
  void operator()(std::vector<T>& total, const std::vector<T>& one) const {
    total.insert(total.end(), one.begin(), one.end());
  }
};

// The first that says something, the last that does.
struct FirstText {
  void operator()(std::string& total, const std::string& one) const {
    if (total.empty()) total = one;
  }
};
struct LastText {
  void operator()(std::string& total, const std::string& one) const {
    if (!one.empty()) total = one;
  }
};

// Whoever combines decides it afterwards, or it is of the first part alone.
struct Keep {
  template <class T>
  void operator()(T&, const T&) const {}
};

// Replaced as a whole.
struct Last {
  template <class T>
  void operator()(T& total, const T& one) const {
    total = one;
  }
};

}  // namespace ravel::combine
