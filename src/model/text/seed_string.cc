// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bytes: fields as LEB128 numbers in the order of for_each_field(), then racy locations and segments as lists
// (length, entries), then 16 bits of checksum. Reader and writer share the field list, so they cannot drift apart.
#include "model/text/seed_string.h"

#include <algorithm>

namespace ravel {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kMaxRacy = 1u << 14;
constexpr std::size_t kMaxPrefix = 1u << 15;

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

std::string to_base64(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += kAlphabet[(bits >> (held - 6)) & 63];
  }
  if (held > 0) out += kAlphabet[(bits << (6 - held)) & 63];
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      out += static_cast<char>((bits >> (held - 8)) & 0xff);
      held -= 8;
    }
  }
  if (held >= 6 || (bits & ((1u << held) - 1)) != 0) return std::nullopt;
  return out;
}

class Writer {
 public:
  template <class T>
  void field(const T& value, std::uint64_t /*limit*/) {
    std::uint64_t rest = static_cast<std::uint64_t>(value);
    do {
      bytes += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
      rest >>= 7;
    } while (rest != 0);
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void field(T& value, std::uint64_t limit) {
    std::uint64_t got = 0;
    for (int shift = 0;; shift += 7) {
      if (at_ == bytes_.size() || shift > 63) return fail();
      const std::uint64_t byte = static_cast<unsigned char>(bytes_[at_++]);
      if (shift == 63 && byte > 1) return fail();
      got |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    if (got > limit) return fail();
    value = static_cast<T>(got);
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  void fail() {
    ok_ = false;
    at_ = bytes_.size();
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

// The one list of fields; `io` reads or writes each with its largest allowed value.
template <class Io, class Seed>
void for_each_field(Io& io, Seed& seed) {
  constexpr std::uint64_t k32 = 0xffffffffu;
  auto& plan = seed.plan;
  auto& policy = plan.policy;
  io.field(seed.build_tag, k32);
  io.field(policy.kind, static_cast<std::uint64_t>(PolicyKind::kNoise));
  io.field(policy.seed, ~std::uint64_t{0});
  io.field(policy.depth, 0xffff);
  io.field(policy.length, k32);
  io.field(policy.switches, kMaxForcedSwitches);
  for (unsigned i = 0; i < policy.switches && i < kMaxForcedSwitches; ++i) {
    io.field(policy.forced[i].decision, k32);
    io.field(policy.forced[i].rank, k32);
  }
  if (policy.kind == PolicyKind::kPark || policy.kind == PolicyKind::kSurw || policy.kind == PolicyKind::kNoise) {
    for (auto& place : policy.park_at) io.field(place, k32);
  }
  if (policy.kind == PolicyKind::kSurw || policy.kind == PolicyKind::kPeriod) {
    for (auto& count : policy.counts) io.field(count, 0xffff);
  }
  if (policy.kind == PolicyKind::kNoise) {
    io.field(policy.noise.seeding, static_cast<std::uint64_t>(NoiseSeeding::kMixed));
    io.field(policy.noise.places, static_cast<std::uint64_t>(NoisePlaces::kSync));
    io.field(policy.noise.frequency, kPerMille);
    io.field(policy.noise.strength, 0xffff);
    io.field(policy.noise.halts, 1);
  }
  if (policy.kind == PolicyKind::kReadsFrom) {
    for (auto& from : policy.from) {
      io.field(from.read, k32);
      io.field(from.write, k32);
      io.field(from.avoid, 1);
    }
  }
  io.field(plan.points, static_cast<std::uint64_t>(PointsMode::kAll));
  io.field(plan.points_version, k32);
  io.field(plan.excluded_classes, k32);
  // Three in one number, so that strings of earlier versions mean what they did.
  constexpr std::uint64_t kModes = static_cast<std::uint64_t>(TimeoutMode::kShortSleeps) + 1;
  constexpr std::uint64_t kVolatileModes = static_cast<std::uint64_t>(VolatileMode::kAcqRel) + 1;
  std::uint64_t modes =
      static_cast<std::uint64_t>(plan.timeouts) +
      kModes * (static_cast<std::uint64_t>(plan.volatiles) + kVolatileModes * static_cast<std::uint64_t>(plan.waiters));
  io.field(modes, kModes * kVolatileModes * (static_cast<std::uint64_t>(WaiterMode::kFifo) + 1) - 1);
  plan.timeouts = static_cast<TimeoutMode>(modes % kModes);
  plan.volatiles = static_cast<VolatileMode>(modes / kModes % kVolatileModes);
  plan.waiters = static_cast<WaiterMode>(modes / kModes / kVolatileModes);
  io.field(plan.faults, k32);
  io.field(plan.max_faults, k32);
  io.field(plan.max_steps, ~std::uint64_t{0});
  io.field(plan.data_seed, ~std::uint64_t{0});
  io.field(plan.explore_call, k32);
  io.field(plan.racy_locations, kMaxRacy);
  io.field(plan.prefix_segments, kMaxPrefix);
}

tl::unexpected<Error> broken(std::string_view why) {
  return usage_error("broken seed string", std::string(why), "copy it whole, from `rv1:' on");
}

}  // namespace

std::string write_seed_string(const SeedString& seed) {
  SeedString copy = seed;
  copy.plan.racy_locations = static_cast<std::uint32_t>(copy.racy.size());
  copy.plan.prefix_segments = static_cast<std::uint32_t>(copy.prefix.size());
  Writer writer;
  for_each_field(writer, copy);
  for (LocationId location : copy.racy) writer.field(location, 0);
  for (const Segment& segment : copy.prefix) {
    // data choices get an odd first number, so that small numbers stay short
    const std::uint64_t what = segment.thread & ~kDataChoice;
    writer.field((what << 1) | ((segment.thread & kDataChoice) != 0 ? 1 : 0), 0);
    writer.field(segment.count, 0);
  }
  const std::uint64_t sum = fnv(writer.bytes);
  writer.bytes += static_cast<char>(sum & 0xff);
  writer.bytes += static_cast<char>((sum >> 8) & 0xff);
  return std::string(kSeedStringStart) + to_base64(writer.bytes);
}

bool looks_like_seed_string(std::string_view text) {
  return text.size() > 3 && text.substr(0, 2) == "rv" && text.find(':') != std::string_view::npos &&
         text.find('/') == std::string_view::npos;
}

Result<SeedString> parse_seed_string(std::string_view text) {
  if (text.substr(0, kSeedStringStart.size()) != kSeedStringStart) {
    return usage_error("seed string of an unknown version", std::string(text.substr(0, text.find(':'))),
                       "this Ravel reads rv1");
  }
  if (text.size() > kMaxSeedStringBytes) return broken("too long");
  auto bytes = from_base64(text.substr(kSeedStringStart.size()));
  if (!bytes || bytes->size() < 3) return broken("not base64url");
  const std::string_view body = std::string_view(*bytes).substr(0, bytes->size() - 2);
  const std::uint64_t sum = fnv(body);
  if (static_cast<unsigned char>((*bytes)[body.size()]) != (sum & 0xff) ||
      static_cast<unsigned char>((*bytes)[body.size() + 1]) != ((sum >> 8) & 0xff)) {
    return broken("checksum differs");
  }
  SeedString seed;
  Reader reader(body);
  for_each_field(reader, seed);
  if (!reader.ok()) return broken("a field is out of range");
  for (std::uint32_t i = 0; i < seed.plan.racy_locations && reader.ok(); ++i) {
    reader.field(seed.racy.emplace_back(), 0xffffffffu);
  }
  for (std::uint32_t i = 0; i < seed.plan.prefix_segments && reader.ok(); ++i) {
    std::uint64_t what = 0;
    Segment& segment = seed.prefix.emplace_back();
    reader.field(what, 0xffffffffu);
    reader.field(segment.count, 0xffffffffu);
    segment.thread = static_cast<std::uint32_t>(what >> 1) | ((what & 1) != 0 ? kDataChoice : 0);
    if (segment.count == 0) return broken("an empty segment");
  }
  if (!reader.ok() || !reader.at_end()) return broken("a list is cut off");
  return seed;
}

std::uint32_t build_tag_of(std::string_view build_id) {
  return build_id.empty() ? 0 : static_cast<std::uint32_t>(fnv(build_id) >> 32);
}

}  // namespace ravel
