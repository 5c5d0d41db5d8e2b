// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/canonical_hash.h"

namespace ravel {
namespace {

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 29;
}

template <class Map, class Key, class Make>
std::uint64_t cached(Map& map, Key key, Make make) {
  const auto [entry, fresh] = map.try_emplace(key, 0);
  if (fresh) entry->second = hash_text(make());
  return entry->second;
}

}  // namespace

void CanonicalHash::add(const Event& event) {
  constexpr std::uint8_t kNotNamed = kChosen | kHadToWait;
  const std::uint8_t bits = event.bits & static_cast<std::uint8_t>(~kNotNamed);
  mix(hash_, cached(threads_, event.thread, [&] { return names_.thread_name(event.thread); }));
  mix(hash_, (static_cast<std::uint64_t>(event.kind) << 32) | (static_cast<std::uint64_t>(bits) << 16) | event.size);
  mix(hash_, cached(objects_, place_of(event), [&] { return names_.object_name(event.object, event.offset); }));
  mix(hash_, cached(places_, event.location, [&] { return names_.place_name(event.location); }));
}

}  // namespace ravel
