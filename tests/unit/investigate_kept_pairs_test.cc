// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The file of pairs that earlier runs have learned: what is written is read, and anything else is refused as a whole.
#include "investigate/kept_pairs_file.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ravel {
namespace {

KeptAccess access(std::uint32_t thread, std::uint32_t location, OpKind kind) {
  KeptAccess one;
  one.thread = thread;
  one.location = location;
  one.kind = kind;
  return one;
}

const std::vector<KeptPair> kPairs = {
    {access(0xfedcba98, 0x10000123, OpKind::kWrite), access(7, 0x10000456, OpKind::kRead), PairVerdict::kSeen},
    {access(1, 2, OpKind::kMutexLock), access(3, 4, OpKind::kMutexLock), PairVerdict::kRefuted},
    {{}, access(9, 0xffffffff, OpKind::kAtomicRmw), PairVerdict::kNotReached}};

TEST(KeptPairs, WhatIsWrittenIsRead) {
  const std::string text = kept_pairs_text(kPairs, "abcd");
  const auto read = kept_pairs_from_text(text, "abcd", "a.pairs");
  ASSERT_TRUE(read) << read.error().line();
  EXPECT_EQ(read->size(), kPairs.size());
  EXPECT_EQ(kept_pairs_text(*read, "abcd"), text);
}

TEST(KeptPairs, EachPairOnce) {
  std::vector<KeptPair> twice = kPairs;
  twice.insert(twice.end(), kPairs.begin(), kPairs.end());
  EXPECT_EQ(kept_pairs_text(twice, "abcd"), kept_pairs_text(kPairs, "abcd"));
}

TEST(KeptPairs, TheFileIsBesideTheFactsAndNeverThem) {
  EXPECT_EQ(kept_pairs_path(".ravel/a.b.facts"), ".ravel/a.b.pairs");
  EXPECT_EQ(kept_pairs_path("mine.json"), "mine.json.pairs");
  EXPECT_EQ(kept_pairs_path("mine.pairs"), "mine.pairs.pairs");
}

TEST(KeptPairs, AnotherBuildIsRefused) {
  const auto read = kept_pairs_from_text(kept_pairs_text(kPairs, "abcd"), "abce", "a.pairs");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().line(),
            "pairs of earlier runs are not used: they are of another build: a.pairs; a run that learns something "
            "writes it again");
}

TEST(KeptPairs, EveryDamageIsRefused) {
  const std::string text = kept_pairs_text(kPairs, "abcd");
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = text;
    const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
    if (i % 3 == 0) {
      damaged.resize(at);
    } else if (i % 3 == 1) {
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
    } else {
      damaged.insert(at, 1 + random.below(40), static_cast<char>(random.below(256)));
    }
    const auto read = kept_pairs_from_text(damaged, "abcd", "a.pairs");
    EXPECT_FALSE(read) << damaged;
  }
}

}  // namespace
}  // namespace ravel
