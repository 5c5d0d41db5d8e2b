// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Makes a strategy in the memory given, and finds its roles: the interfaces that its class has.
#pragma once

#include <memory_resource>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "explore/strategy_table.h"

namespace ravel {

// Of a strategy that works on a given schedule, when there is none.
inline constexpr std::string_view kNeedsPlan = "works on a plan: use `ravel minimize PLAN' or `ravel explain PLAN'";

template <class T, class... Arguments>
StrategyParts make_strategy(std::pmr::memory_resource& memory, Arguments&&... arguments) {
  T* made = new (memory.allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
  StrategyParts parts;
  parts.strategy = made;
  if constexpr (std::is_base_of_v<Observer, T>) parts.watcher = made;
  if constexpr (std::is_base_of_v<SharedSearch, T>) parts.shared = made;
  if constexpr (std::is_base_of_v<TargetPlan, T>) parts.target = made;
  return parts;
}

}  // namespace ravel
