// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Canonical hash of a trace: over names (lineage of the thread, operation, object, place in the source), never over
// addresses or table numbers. Equal for the same schedule of the same program after a rebuild with an edit elsewhere,
// in another folder, with another environment. Values are left out: they may be addresses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/event.h"

namespace ravel {

// Who knows the names. Asked once per distinct id.
class Namer {
 public:
  virtual std::string thread_name(ThreadIndex thread) = 0;
  virtual std::string object_name(ObjectId object, std::uint32_t offset) = 0;
  virtual std::string place_name(LocationId location) = 0;

 protected:
  ~Namer() = default;
};

class CanonicalHash {
 public:
  explicit CanonicalHash(Namer& names) : names_(names) {}

  void add(const Event& event);
  void add(std::span<const Event> events) {
    for (const Event& event : events) add(event);
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  Namer& names_;
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
  std::unordered_map<ThreadIndex, std::uint64_t> threads_;
  std::unordered_map<std::uint64_t, std::uint64_t> objects_;  // by place
  std::unordered_map<LocationId, std::uint64_t> places_;
};

}  // namespace ravel
