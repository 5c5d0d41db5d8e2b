// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Numbers by which an execution names its threads, objects, places in the code and call stacks. Each is a type of its
// own: it converts to and from a plain number (array indices, the wire, text), but never into an id of another kind,
// not even for a comparison. 32 bits, trivially copyable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace ravel {

template <typename Kind>
class Id {
 public:
  constexpr Id() = default;
  constexpr Id(std::uint32_t number) : number_(number) {}  // NOLINT(google-explicit-constructor)
  template <typename Other>
  Id(Id<Other>) = delete;

  constexpr operator std::uint32_t() const { return number_; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr std::uint32_t number() const { return number_; }

  constexpr Id& operator++() {
    ++number_;
    return *this;
  }
  constexpr Id operator++(int) { return Id(number_++); }

 private:
  std::uint32_t number_ = 0;
};

template <typename A, typename B, typename = std::enable_if_t<!std::is_same_v<A, B>>>
bool operator==(Id<A>, Id<B>) = delete;
template <typename A, typename B, typename = std::enable_if_t<!std::is_same_v<A, B>>>
bool operator!=(Id<A>, Id<B>) = delete;
template <typename A, typename B, typename = std::enable_if_t<!std::is_same_v<A, B>>>
bool operator<(Id<A>, Id<B>) = delete;

using ThreadIndex = Id<struct ThreadTag>;   // order of creation within one execution; 0 is main
using ObjectId = Id<struct ObjectTag>;      // index into the object table of the execution; 0 is "unknown"
using LocationId = Id<struct LocationTag>;  // module slot (upper 4 bits), offset of the return address in it; 0 unknown
using ContextId = Id<struct ContextTag>;    // node of the calling-context tree; 0 is "no context"

inline constexpr ThreadIndex kNoThread = 0xffffffffu;

// As a number in JSON, for the library that looks for this name.
template <typename Json, typename Kind>
void to_json(Json& json, Id<Kind> id) {
  json = id.number();
}

}  // namespace ravel

template <typename Kind>
struct std::hash<ravel::Id<Kind>> {
  std::size_t operator()(ravel::Id<Kind> id) const noexcept { return std::hash<std::uint32_t>()(id.number()); }
};
